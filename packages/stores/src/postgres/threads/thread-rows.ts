import type { QueueMode, ThreadId, ThreadRow } from '@capstan/protocol'

/** A row of `threads`. */
export interface ThreadColumns {
  readonly no: number
  readonly id: ThreadId
  readonly user_id: string
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
  readonly queue_mode: QueueMode | null
  readonly last_seq: number
  readonly pages: number
  readonly owner: string | null
  readonly epoch: number
}

export function toThread(row: ThreadColumns): ThreadRow {
  return {
    id: row.id,
    userId: row.user_id,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    ...(row.queue_mode !== null && { queueMode: row.queue_mode }),
  }
}
