import { randomBytes } from 'node:crypto'
import type { ConnectionRow, ConnectionStatus, ToolkitRow } from '@capstan/protocol'
import type { ConnectionState } from '../../ports/connector.ts'
import { connectionChanged } from './connection-changed.ts'
import { settleConnection } from './connection-status.ts'
import type { SignInFlowParts } from './sign-in-flow.ts'
import { connectorOf } from './sign-in-flow.ts'

/** Called when a service could not be asked. */
export type OnCheckFailure = (connection: ConnectionRow) => void

/**
 * Asks the service for the state of a connection and takes it over. Answers with the row as it is now, which is the one
 * of before when the service cannot be asked; undefined when it was disconnected. Never rejects because of the service.
 */
export async function refreshConnection(
  connectionId: string,
  parts: SignInFlowParts,
  onFailure?: OnCheckFailure,
): Promise<ConnectionRow | undefined> {
  const { store } = parts
  const connection = await store.get(connectionId)
  if (!connection || connection.status === 'disconnected') return undefined
  if (parts.finishing.has(connectionId)) return connection
  const state = await ask(
    () => connectorOf(connection, parts).check(connection),
    () => onFailure?.(connection),
  )
  const isChange = state && state.status !== connection.status && mayBecome(connection.status, state)
  if (!isChange || parts.finishing.has(connectionId)) return connection
  const settled = await settleConnection(connection, state, [connection.status], parts)
  return settled ?? (await store.get(connectionId))
}

/** A link that expired is no answer of the person: they may open another one. */
const mayBecome = (from: ConnectionStatus, { status }: ConnectionState): boolean =>
  from !== 'pending' || status === 'active' || status === 'failed'

const ASKED: readonly ConnectionStatus[] = ['pending', 'expired']
const ADOPT_LIMIT_MS = 30_000

/**
 * Asks the services once whether an app without an active connection is connected after all: through a row that is
 * pending or expired here, or elsewhere. True when it is now.
 */
export async function findLive(
  userId: string,
  { slug, connector: connectorId }: Pick<ToolkitRow, 'slug' | 'connector'>,
  parts: SignInFlowParts,
  onFailure?: OnCheckFailure,
): Promise<boolean> {
  const listRows = async () =>
    (await parts.store.list(userId)).filter((row) => row.toolkit === slug && row.connector === connectorId)
  const rows = await listRows()
  const asked = await Promise.all(
    rows
      .filter(({ status }) => ASKED.includes(status))
      .map((row) => refreshConnection(row.id, parts, onFailure)),
  )
  if (asked.some((row) => row && isActive(row))) return true
  const at = parts.clock.now()
  const row: Omit<ConnectionRow, 'isDefault'> = {
    id: `connection_${randomBytes(12).toString('base64url')}`,
    userId,
    connector: connectorId,
    toolkit: slug,
    label: '',
    status: 'pending',
    createdAt: at,
    updatedAt: at,
  }
  const work = async (): Promise<boolean> => {
    const others = await listRows()
    return others.some(isActive) || adopt({ ...row, isDefault: false }, others, parts, onFailure)
  }
  const canAdopt = parts.findConnector(connectorId)?.adopt !== undefined
  // Nodes that ask at the same time would adopt the same account twice.
  const name = `accounts of ${JSON.stringify([userId, slug])}`
  return canAdopt && parts.locks.withLock(name, work, { limitMs: ADOPT_LIMIT_MS })
}

const isActive = ({ status }: ConnectionRow): boolean => status === 'active'

async function adopt(
  row: ConnectionRow,
  others: readonly ConnectionRow[],
  parts: SignInFlowParts,
  onFailure?: OnCheckFailure,
): Promise<boolean> {
  const state = await ask(
    async () => connectorOf(row, parts).adopt?.(row, others),
    () => onFailure?.(row),
  )
  if (state?.status !== 'active') return false
  const { isDefault: _, ...rest } = row
  const created = await parts.store.create({ ...rest, status: 'pending' })
  const settled = await settleConnection(created, state, ['pending'], parts)
  if (!settled) await connectionChanged(created, parts)
  return settled?.status === 'active'
}

/** Asks the service whether a sign-in is still open. A service that does not answer is reported once in a row. */
export function createPendingCheck(
  parts: SignInFlowParts,
  onFailure?: OnCheckFailure,
): (connectionId: string) => Promise<boolean> {
  const silent = new Set<string>()
  return async (id) => {
    const connection = await parts.store.get(id)
    if (connection?.status !== 'pending') return false
    let isSilent = false
    const { userId, toolkit: slug, connector } = connection
    await findLive(userId, { slug, connector }, parts, (asked) => {
      isSilent = true
      if (!silent.has(id)) onFailure?.(asked)
    })
    if (isSilent) silent.add(id)
    else silent.delete(id)
    return (await parts.store.get(id))?.status === 'pending'
  }
}

/** Undefined when the service does not answer, or the connector is gone. */
async function ask<Answer>(work: () => Promise<Answer>, onFailure: () => void): Promise<Answer | undefined> {
  try {
    return await work()
  } catch {
    onFailure()
    return undefined
  }
}
