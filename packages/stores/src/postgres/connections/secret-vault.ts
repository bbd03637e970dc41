import type { SecretVault } from '@capstan/harness/stores'
import { lockSecret, openSecret, toBinding, toSecretText } from '../../shared/vault/locked-secret.ts'
import type { SecretKey } from '../../shared/vault/secret-key.ts'
import type { Database, Query } from '../database/database.ts'
import { toConnection } from './connection-rows.ts'
import type { ConnectionColumns } from './connection-rows.ts'

interface SecretColumns {
  readonly bound_to: string | null
  readonly key: string
  readonly locked: Uint8Array
}

/**
 * Secrets are locked before they reach PostgreSQL, each for its connection. A write or a delete survives a power cut when
 * it settles, because a renewed token cannot be fetched again.
 */
export function createSecretVault(database: Database, secretKey: SecretKey): SecretVault {
  const ownerOf = async (query: Query, connectionId: string): Promise<string | undefined> => {
    const [row] = await query<ConnectionColumns>('SELECT * FROM connections WHERE id = $1', [connectionId])
    return toBinding(row && toConnection(row))
  }
  return {
    async read(connectionId) {
      const sql = 'SELECT bound_to, key, locked FROM secrets WHERE connection = $1'
      const [row] = await database.read<SecretColumns>(sql, [connectionId])
      if (!row) return undefined
      const owner = await ownerOf((text, values) => database.read(text, values), connectionId)
      const { bound_to: boundTo, key, locked } = row
      return openSecret(secretKey, connectionId, { boundTo: boundTo ?? undefined, key, locked, owner })
    },
    async write(connectionId, secret) {
      database.refuseIfClosed()
      const text = toSecretText(secret)
      await database.transaction(async (query) => {
        const owner = await ownerOf(query, connectionId)
        const { boundTo = null, key, locked } = lockSecret(secretKey, connectionId, owner, text)
        await query(
          `INSERT INTO secrets VALUES ($1, $2, $3, $4) ON CONFLICT (connection) DO UPDATE
            SET bound_to = excluded.bound_to, key = excluded.key, locked = excluded.locked`,
          [connectionId, boundTo, key, locked],
        )
      })
    },
    async delete(connectionId) {
      await database.transaction((query) =>
        query('DELETE FROM secrets WHERE connection = $1', [connectionId]),
      )
    },
  }
}
