import type { ConnectionRow } from '@capstan/protocol'
import type { SessionPool } from './session-pool.ts'

/** The rows of the connections with sessions, as they were last used. `updatedAt` identifies a sign-in. */
export interface UsedRows {
  /**
   * The connection is about to be used. The session of an earlier sign-in is not used on: it may have been that of another
   * account.
   */
  note(connection: ConnectionRow): void
  /** Closes the session of a connection. */
  readonly drop: (connectionId: string) => Promise<void>
  /** Closes every session with this server. */
  readonly dropServer: (slug: string) => Promise<void>
}

export function createUsedRows(pool: SessionPool): UsedRows {
  const rows = new Map<string, ConnectionRow>()

  async function drop(connectionId: string): Promise<void> {
    rows.delete(connectionId)
    await pool.drop(connectionId)
  }

  return {
    note(connection) {
      const before = rows.get(connection.id)
      if (before && before.updatedAt > connection.updatedAt) return
      // Whoever is signing in has opened it for this very sign-in.
      if (before && before.status !== 'pending' && before.updatedAt < connection.updatedAt)
        pool.retire(connection.id)
      rows.set(connection.id, connection)
    },
    drop,
    async dropServer(slug) {
      const ids = [...rows.values()].filter(({ toolkit }) => toolkit === slug).map(({ id }) => id)
      await Promise.all(ids.map(drop))
    },
  }
}
