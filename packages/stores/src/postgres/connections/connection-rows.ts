import type { ConnectionReasonCode, ConnectionRow, ConnectionStatus } from '@capstan/protocol'
import type { Query } from '../database/database.ts'

/** A row of `connections`. */
export interface ConnectionColumns {
  readonly id: string
  readonly user_id: string
  readonly connector: string
  readonly toolkit: string
  readonly status: ConnectionStatus
  readonly label: string
  readonly is_default: boolean
  readonly created_at: number
  readonly updated_at: number
  readonly reason: string | null
  readonly reason_code: ConnectionReasonCode | null
}

export function toConnection(row: ConnectionColumns): ConnectionRow {
  return {
    id: row.id,
    userId: row.user_id,
    connector: row.connector,
    toolkit: row.toolkit,
    status: row.status,
    label: row.label,
    isDefault: row.is_default,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.reason !== null && { reason: row.reason }),
    ...(row.reason_code !== null && { reasonCode: row.reason_code }),
  }
}

/** Answers with the row that was written. */
export async function insertConnection(query: Query, row: ConnectionRow): Promise<ConnectionRow> {
  const { id, userId, connector, toolkit, createdAt } = row
  const [written] = await query<ConnectionColumns>(
    `INSERT INTO connections (id, user_id, connector, toolkit, created_at, status, label, is_default, updated_at,
    reason, reason_code) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) RETURNING *`,
    [id, userId, connector, toolkit, createdAt, ...toState(row)],
  )
  return toConnection(written!)
}

/** The same for a row that is there. */
export async function updateConnection(query: Query, row: ConnectionRow): Promise<ConnectionRow> {
  const [written] = await query<ConnectionColumns>(
    `UPDATE connections SET status = $2, label = $3, is_default = $4, updated_at = $5, reason = $6, reason_code = $7
    WHERE id = $1 RETURNING *`,
    [row.id, ...toState(row)],
  )
  return toConnection(written!)
}

const toState = ({ status, label, isDefault, updatedAt, reason, reasonCode }: ConnectionRow): unknown[] => [
  status,
  label.replaceAll('\0', ''),
  isDefault,
  updatedAt,
  reason?.replaceAll('\0', '') ?? null,
  reasonCode ?? null,
]
