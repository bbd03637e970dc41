import type { LockedSecret } from '../../shared/vault/locked-secret.ts'
import type { Connection } from '../database/connection.ts'

/** Locked secrets, one for each connection. */
export interface SecretRows {
  get(connectionId: string): LockedSecret | undefined
  put(connectionId: string, secret: LockedSecret): void
  delete(connectionId: string): void
  /** The names of the keys they need. */
  keys(): string[]
}

interface Row {
  readonly bound_to: string | null
  readonly key: string
  readonly locked: Uint8Array
}

export function createSecretRows(connection: Connection): SecretRows {
  const get = connection.prepare<Row>('SELECT bound_to, key, locked FROM secrets WHERE connection = ?')
  const put = connection.prepare('INSERT OR REPLACE INTO secrets VALUES (?, ?, ?, ?)')
  const remove = connection.prepare('DELETE FROM secrets WHERE connection = ?')
  const keys = connection.prepare<Pick<Row, 'key'>>('SELECT DISTINCT key FROM secrets')
  return {
    get(connectionId) {
      const row = get.get(connectionId)
      return row && { boundTo: row.bound_to ?? undefined, key: row.key, locked: row.locked }
    },
    put(connectionId, { boundTo = null, key, locked }) {
      put.run(connectionId, boundTo, key, locked)
    },
    delete(connectionId) {
      remove.run(connectionId)
    },
    keys: () => keys.all().map(({ key }) => key),
  }
}
