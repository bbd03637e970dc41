import type { Connection } from '../database/connection.ts'
import type { Seal } from './seal.ts'

/** Tools that a user always allows. A row with a wrong seal counts for nothing. */
export interface AlwaysAllowedRows {
  add(userId: string, tool: string): void
  has(userId: string, tool: string): boolean
  list(userId: string): string[]
  remove(userId: string, tool: string): boolean
}

interface Row {
  readonly tool: string
  readonly seal: Uint8Array
}

export function createAlwaysAllowedRows(connection: Connection, seal: Seal): AlwaysAllowedRows {
  const put = connection.prepare('INSERT OR REPLACE INTO always_allowed VALUES (?, ?, ?)')
  const get = connection.prepare<Row>('SELECT tool, seal FROM always_allowed WHERE user = ? AND tool = ?')
  const all = connection.prepare<Row>('SELECT tool, seal FROM always_allowed WHERE user = ? ORDER BY tool')
  const remove = connection.prepare('DELETE FROM always_allowed WHERE user = ? AND tool = ?')
  const isTrue = (userId: string, row: Row): boolean => seal.fits(['always', userId, row.tool], row.seal)
  return {
    add(userId, tool) {
      put.run(userId, tool, seal.of(['always', userId, tool]))
    },
    has(userId, tool) {
      const row = get.get(userId, tool)
      return row !== undefined && isTrue(userId, row)
    },
    list: (userId) =>
      all
        .all(userId)
        .filter((row) => isTrue(userId, row))
        .map(({ tool }) => tool),
    remove(userId, tool) {
      const wasTrue = this.has(userId, tool)
      return remove.run(userId, tool) > 0 && wasTrue
    },
  }
}
