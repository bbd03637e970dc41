import { StoreError } from '@capstan/harness'
import type { ConnectionStore } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import { changeConnection, makeDefault } from '../../shared/connections/change-connection.ts'
import type { ChangedConnections } from '../../shared/connections/change-connection.ts'
import type { Seal } from '../../shared/seal.ts'
import type { SecretKey } from '../../shared/vault/secret-key.ts'
import type { Database, Query } from '../database/database.ts'
import { createChoices } from './choices.ts'
import { insertConnection, toConnection, updateConnection } from './connection-rows.ts'
import type { ConnectionColumns } from './connection-rows.ts'
import { createSecretVault } from './secret-vault.ts'
import { createSignInFlows } from './sign-in-flows.ts'

export function createConnectionStore(database: Database, seal: Seal, secretKey: SecretKey): ConnectionStore {
  const find = async (rest: string, values: readonly unknown[] = []): Promise<ConnectionRow[]> =>
    (await database.read<ConnectionColumns>(`SELECT * FROM connections ${rest}`, values)).map(toConnection)

  return {
    create: (connection) =>
      database.transaction(async (query) => {
        const peers = await lockPeers(query, connection)
        const [there] = await query('SELECT FROM connections WHERE id = $1', [connection.id])
        if (there) throw new StoreError('invalid', `There is a connection ${connection.id} already.`)
        const isDefault = connection.status !== 'disconnected' && !peers.some((row) => row.isDefault)
        return insertConnection(query, { ...connection, isDefault })
      }),
    get: async (id) => (await find('WHERE id = $1', [id]))[0],
    list: (userId) =>
      find(`WHERE user_id = $1 AND status <> 'disconnected' ORDER BY created_at, no`, [userId]),
    async users(toolkit) {
      const rows = await database.read<{ user_id: string }>(USERS, [toolkit])
      return rows.map((row) => row.user_id)
    },
    pending: () => find(`WHERE status = 'pending' ORDER BY no`),
    change: (id, change, from) =>
      database.transaction(async (query) => {
        const found = await lockConnection(query, id)
        if (!found || !from.includes(found.row.status)) return undefined
        return writeAll(query, changeConnection(found.row, change, found.peers))
      }),
    makeDefault: (id) =>
      database.transaction(async (query) => {
        const found = await lockConnection(query, id)
        if (!found || found.row.status === 'disconnected') return false
        await writeAll(query, makeDefault(found.row, found.peers))
        return true
      }),
    ...createSignInFlows(database),
    ...createChoices(database, seal),
    vault: createSecretVault(database, secretKey),
  }
}

async function writeAll(query: Query, { rows, answer }: ChangedConnections): Promise<ConnectionRow> {
  let asked = answer
  for (const row of rows) {
    const written = await updateConnection(query, row)
    if (written.id === answer.id) asked = written
  }
  return asked
}

/** The connections of one user and toolkit that are not disconnected. No other node changes them until the transaction ends. */
async function lockPeers(
  query: Query,
  { userId, toolkit }: Pick<ConnectionRow, 'userId' | 'toolkit'>,
): Promise<ConnectionRow[]> {
  await query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
    `capstan connections ${JSON.stringify([userId, toolkit])}`,
  ])
  const rows = await query<ConnectionColumns>(
    `SELECT * FROM connections WHERE user_id = $1 AND toolkit = $2 AND status <> 'disconnected' ORDER BY created_at, no`,
    [userId, toolkit],
  )
  return rows.map(toConnection)
}

async function lockConnection(
  query: Query,
  id: string,
): Promise<{ readonly row: ConnectionRow; readonly peers: readonly ConnectionRow[] } | undefined> {
  const read = async () =>
    (await query<ConnectionColumns>('SELECT * FROM connections WHERE id = $1', [id]))[0]
  const found = await read()
  if (!found) return undefined
  const peers = await lockPeers(query, toConnection(found))
  // As it is under the lock.
  const row = await read()
  return row && { row: toConnection(row), peers }
}

const USERS = `SELECT user_id FROM connections WHERE toolkit = $1 UNION SELECT user_id FROM scopes WHERE toolkit = $1
  UNION SELECT user_id FROM action_effects WHERE toolkit = $1 ORDER BY user_id`
