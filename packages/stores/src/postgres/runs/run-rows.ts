import type { RunId, RunRow } from '@capstan/protocol'
import { toWaitKey } from '../../shared/runs/stored-run.ts'
import type { StoredRun } from '../../shared/runs/stored-run.ts'

/** A row of `runs`. */
export interface RunColumns {
  readonly id: string
  readonly thread: number
  readonly user_id: string
  readonly root: RunId
  readonly message_id: string | null
  readonly from_seq: number
  readonly body: string
}

export const RUN_COLUMNS = 'id, thread, user_id, root, message_id, from_seq, body'

export function toStoredRun(row: RunColumns): StoredRun {
  return {
    row: JSON.parse(row.body) as RunRow,
    thread: row.thread,
    userId: row.user_id,
    root: row.root,
    messageId: row.message_id ?? undefined,
    fromSeq: row.from_seq,
  }
}

/** What changes in a row when its run does. */
export const toChangedColumns = (row: RunRow) => ({
  id: row.id,
  status: row.status,
  waits_for: row.waitsFor ? toWaitKey(row.waitsFor) : null,
  body: JSON.stringify(row),
})

export const toNewColumns = ({ row, userId, root, messageId, fromSeq }: StoredRun) => ({
  ...toChangedColumns(row),
  user_id: userId,
  root,
  depth: row.depth,
  started_at: row.startedAt,
  message_id: messageId ?? null,
  from_seq: fromSeq,
})
