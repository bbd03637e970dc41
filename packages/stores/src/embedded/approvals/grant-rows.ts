import type { Grant } from '@capstan/protocol'
import type { Connection } from '../database/connection.ts'
import type { Seal } from './seal.ts'

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

interface Row {
  readonly user: string
  readonly id: string
  readonly body: string
  readonly seal: Uint8Array
}

export function createGrantRows(connection: Connection, seal: Seal): GrantRows {
  const put = connection.prepare(
    `INSERT OR REPLACE INTO grants (user, id, tool, thread, created_at, expires_at, body, seal)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const get = connection.prepare<Row>('SELECT user, id, body, seal FROM grants WHERE user = ? AND id = ?')
  const ofTool = connection.prepare<Row>(
    'SELECT user, id, body, seal FROM grants WHERE user = ? AND tool = ?',
  )
  const ofUser = connection.prepare<Row>(
    'SELECT user, id, body, seal FROM grants WHERE user = ? ORDER BY created_at, id',
  )
  const remove = connection.prepare('DELETE FROM grants WHERE user = ? AND id = ?')
  const removeExpired = connection.prepare('DELETE FROM grants WHERE expires_at <= ?')
  const ofThread = connection.prepare('DELETE FROM grants WHERE thread = ?')
  /** The other columns are only for finding a row: what counts is in the sealed body. */
  const read = ({ user, id, body, seal: written }: Row): Grant[] =>
    seal.fits(['grant', user, id, body], written) ? [JSON.parse(body) as Grant] : []

  return {
    put(userId, grant, thread) {
      const user = userId.toWellFormed()
      const body = JSON.stringify(grant)
      const { id, tool, createdAt, expiresAt = null } = grant
      const fits = seal.of(['grant', user, id, body])
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
