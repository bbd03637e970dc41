import type { Grant } from '@capstan/protocol'
import { readGrant, toGrantColumns } from '../../shared/approvals/sealed-grant.ts'
import type { GrantColumns } from '../../shared/approvals/sealed-grant.ts'
import type { Connection } from '../database/connection.ts'
import type { Seal } from '../../shared/seal.ts'

/** Grants of users. A row with a wrong seal counts for nothing. */
export interface GrantRows {
  /** `thread` is the number of the conversation it lasts for, if it lasts for one. */
  put(userId: string, grant: Grant, thread: number | undefined): void
  ofTool(userId: string, tool: string): Grant[]
  /** Oldest first. */
  list(userId: string): Grant[]
  remove(userId: string, id: string): boolean
  removeExpired(now: number): void
  /** Those that last for one conversation. */
  delete(thread: number): void
}

export function createGrantRows(connection: Connection, seal: Seal): GrantRows {
  const put = connection.prepare(
    `INSERT OR REPLACE INTO grants (user, id, tool, thread, created_at, expires_at, body, seal)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = connection.prepare<GrantColumns>(
    'SELECT user, id, body, seal FROM grants WHERE user = ? AND id = ?',
  )
  const ofTool = connection.prepare<GrantColumns>(
    'SELECT user, id, body, seal FROM grants WHERE user = ? AND tool = ?',
  )
  const ofUser = connection.prepare<GrantColumns>(
    'SELECT user, id, body, seal FROM grants WHERE user = ? ORDER BY created_at, id',
  )
  const remove = connection.prepare('DELETE FROM grants WHERE user = ? AND id = ?')
  const removeExpired = connection.prepare('DELETE FROM grants WHERE expires_at <= ?')
  const ofThread = connection.prepare('DELETE FROM grants WHERE thread = ?')
  const read = (row: GrantColumns): Grant[] => readGrant(seal, row)

  return {
    put(userId, grant, thread) {
      const { id, tool, createdAt, expiresAt = null } = grant
      const { user, body, seal: fits } = toGrantColumns(seal, userId, grant)
      put.run(user, id, tool.toWellFormed(), thread ?? null, createdAt, expiresAt, body, fits)
    },
    ofTool: (userId, tool) => ofTool.all(userId.toWellFormed(), tool.toWellFormed()).flatMap(read),
    list: (userId) => ofUser.all(userId.toWellFormed()).flatMap(read),
    remove(userId, id) {
      const row = get.get(userId, id)
      const wasGood = row !== undefined && read(row).length > 0
      return remove.run(userId, id) > 0 && wasGood
    },
    removeExpired(now) {
      removeExpired.run(now)
    },
    delete(thread) {
      ofThread.run(thread)
    },
  }
}
