import type { ConnectionReasonCode, ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** Users' accounts at toolkits. */
export interface ConnectionRows {
  get(id: string): ConnectionRow | undefined
  /** Oldest first, those that were disconnected left out. */
  list(userId: string): ConnectionRow[]
  /** Who has anything of a toolkit, in this table or in those of choices. */
  users(toolkit: string): string[]
  /** Of all users. */
  pending(): ConnectionRow[]
  /** Answers with the row that was written. */
  insert(row: ConnectionRow): ConnectionRow
  update(row: ConnectionRow): ConnectionRow
  isEmpty(): boolean
  /** Throws when a row is damaged. */
  check(): void
}

interface Row {
  readonly id: string
  readonly user: string
  readonly connector: string
  readonly toolkit: string
  readonly status: ConnectionStatus
  readonly label: string
  readonly is_default: number
  readonly created_at: number
  readonly updated_at: number
  readonly reason: string | null
  readonly reason_code: ConnectionReasonCode | null
  readonly sum: number
}

export function createConnectionRows(connection: Connection): ConnectionRows {
  const byId = connection.prepare<Row>('SELECT * FROM connections WHERE id = ?')
  const ofUser = connection.prepare<Row>(
    `SELECT * FROM connections WHERE user = ? AND status <> 'disconnected' ORDER BY created_at, no`,
  )
  const users = connection.prepare<Pick<Row, 'user'>>(
    `SELECT user FROM connections WHERE toolkit = ?1 UNION SELECT user FROM scopes WHERE toolkit = ?1
    UNION SELECT user FROM action_effects WHERE toolkit = ?1 ORDER BY user`,
  )
  const waiting = connection.prepare<Row>(`SELECT * FROM connections WHERE status = 'pending' ORDER BY no`)
  const insert = connection.prepare(
    `INSERT INTO connections
    (id, user, connector, toolkit, status, label, is_default, created_at, updated_at, reason, reason_code, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    `UPDATE connections SET status = ?, label = ?, is_default = ?, updated_at = ?, reason = ?, reason_code = ?, sum = ?
    WHERE id = ?`,
  )
  const any = connection.prepare('SELECT 1 FROM connections LIMIT 1')
  const all = connection.prepare<Row>('SELECT * FROM connections')
  return {
    get(id) {
      const row = byId.get(id)
      return row && toConnection(row)
    },
    list: (userId) => ofUser.all(userId).map(toConnection),
    users: (toolkit) => users.all(toolkit).map(({ user }) => user),
    pending: () => waiting.all().map(toConnection),
    insert(given) {
      const row = toColumns(given)
      const { id, userId, connector, toolkit, status, label, createdAt, updatedAt } = row
      const { reason = null, reasonCode = null } = row
      const identity = [id, userId, connector, toolkit] as const
      const state = [status, label, row.isDefault ? 1 : 0, createdAt, updatedAt] as const
      insert.run(...identity, ...state, reason, reasonCode, sumOf(row))
      return row
    },
    update(given) {
      const row = toColumns(given)
      const { id, status, label, isDefault, updatedAt, reason = null, reasonCode = null } = row
      update.run(status, label, isDefault ? 1 : 0, updatedAt, reason, reasonCode, sumOf(row), id)
      return row
    },
    isEmpty: () => any.get() === undefined,
    check() {
      for (const row of all.compiled().iterate() as Iterable<unknown>) toConnection(row as Row)
    },
  }
}

/** A column cannot hold half a character. */
function toColumns({ reason, reasonCode, ...row }: ConnectionRow): ConnectionRow {
  return {
    ...row,
    id: row.id.toWellFormed(),
    userId: row.userId.toWellFormed(),
    connector: row.connector.toWellFormed(),
    toolkit: row.toolkit.toWellFormed(),
    label: row.label.toWellFormed(),
    ...(reason !== undefined && { reason: reason.toWellFormed() }),
    ...(reasonCode !== undefined && { reasonCode }),
  }
}

function sumOf(row: ConnectionRow): number {
  const { id, userId, connector, toolkit, status, label, isDefault, createdAt, updatedAt } = row
  const texts = [id, userId, connector, toolkit, status, label, row.reason ?? null]
  // A row without a code has the sum it had before there were codes.
  const code = row.reasonCode === undefined ? [] : [row.reasonCode]
  return checksum(JSON.stringify([...texts, isDefault, createdAt, updatedAt, ...code]))
}

function toConnection(row: Row): ConnectionRow {
  const connection: ConnectionRow = {
    id: row.id,
    userId: row.user,
    connector: row.connector,
    toolkit: row.toolkit,
    status: row.status,
    label: row.label,
    isDefault: row.is_default === 1,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.reason_code !== null && { reasonCode: row.reason_code }),
  }
  refuseDamage(sumOf(connection) === row.sum, `the row of connection ${row.id}`)
  return connection
}
