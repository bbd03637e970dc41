import { StoreError } from '@capstan/harness'
import {
  toEndedRow,
  toRunningRow,
  toWaitingRow,
  toResumedRow,
  toStartedRow,
  toTouchedThread,
} from '@capstan/harness/stores'
import type { ApprovalRequest, LedgerRecord, RecordOf } from '@capstan/harness/stores'
import type { RunId, RunRow, ThreadId, ThreadRow } from '@capstan/protocol'
import type { StoredRun } from '../runs/stored-run.ts'
import { toTree } from '../runs/to-tree.ts'

/** What a commit must know of a thread, kept from one to the next. */
export interface KnownThread {
  readonly no: number
  readonly id: ThreadId
  readonly userId: string
  lastSeq: number
  /** Known runs of this thread, so that a call needs no query. */
  readonly runs: Set<RunId>
}

/** The rows that change in the transaction of a commit. */
export interface Rows {
  readonly threads: {
    get(id: ThreadId): ThreadRow | undefined
    update(row: ThreadRow): void
  }
  readonly runs: {
    get(id: RunId): StoredRun | undefined
    findByMessage(thread: number, messageId: string): StoredRun | undefined
    /** All runs of one turn, in the order they started. */
    ofTurn(thread: number, root: RunId): StoredRun[]
    insert(run: StoredRun): void
    update(run: StoredRun, row: RunRow): void
  }
  readonly approvals: { insert(thread: KnownThread, request: ApprovalRequest): void }
  readonly media: { put(thread: number, ref: string, bytes: Uint8Array): void }
  readonly queue: {
    add(thread: number, id: string): void
    remove(thread: number, id: string): void
  }
}

/** Writes the rows that one record changes, in the transaction of its commit. Throws a `StoreError` for a wrong record. */
export function writeRows(rows: Rows, thread: KnownThread, record: LedgerRecord): void {
  switch (record.type) {
    case 'run-start':
      insertRun(rows, thread, record)
      break
    case 'run-resume': {
      const run = unfinished(rows, thread, record.runId)
      rows.runs.update(run, toResumedRow(run.row))
      const [, ...below] = toTree(rows.runs.ofTurn(run.thread, run.root), run.row.id)
      for (const child of below) if (!child.row.outcome) rows.runs.update(child, toRunningRow(child.row))
      break
    }
    case 'run-park': {
      const run = unfinished(rows, thread, record.runId)
      rows.runs.update(run, toWaitingRow(run.row, record.waitsFor))
      for (let at: StoredRun | undefined = run; at && at.row.id !== record.upTo;) {
        at = parentOf(rows, at)
        if (at && !at.row.outcome) rows.runs.update(at, toWaitingRow(at.row))
      }
      break
    }
    case 'run-end': {
      const run = unfinished(rows, thread, record.runId)
      rows.runs.update(run, toEndedRow(run.row, record))
      if (run.row.depth === 0) rows.threads.update(toTouchedThread(rows.threads.get(thread.id)!, record))
      break
    }
    case 'approval-open':
      if (record.request.threadId !== thread.id) throw wrongThread(thread)
      rows.approvals.insert(thread, record.request)
      break
    case 'media':
      rows.media.put(thread.no, record.ref, record.bytes)
      break
    case 'message-queue':
      rows.queue.add(thread.no, record.id)
      break
    case 'message-dequeue':
      rows.queue.remove(thread.no, record.id)
      break
    case 'call-intent':
    case 'call-result':
    case 'conversation-open':
    case 'event':
    case 'history-replace':
    case 'message':
    case 'surface-announced':
    case 'usage':
      // Only the journal holds these.
      break
  }
}

/** The error for a record that names another thread than the one it is committed to. */
export const wrongThread = (thread: KnownThread): StoreError =>
  new StoreError('invalid', `A record for another thread was written to ${thread.id}.`)

function insertRun({ runs, threads }: Rows, thread: KnownThread, record: RecordOf<'run-start'>): void {
  const { runId, messageId, parent, depth } = record.run
  if (messageId !== undefined && runs.findByMessage(thread.no, messageId)) {
    throw new StoreError('invalid', `There already is a message ${messageId}.`)
  }
  if (runs.get(runId)) throw new StoreError('invalid', `There already is a run ${runId}.`)
  const root = (parent && runs.get(parent.runId)?.root) ?? runId
  const row = toStartedRow(thread.id, record)
  runs.insert({ row, thread: thread.no, userId: thread.userId, root, messageId, fromSeq: thread.lastSeq })
  if (depth === 0) threads.update(toTouchedThread(threads.get(thread.id)!, record))
}

function unfinished({ runs }: Rows, thread: KnownThread, id: RunId): StoredRun {
  const run = runs.get(id)
  if (run?.thread !== thread.no) {
    throw new StoreError('invalid', `The thread ${thread.id} has no run ${id}.`)
  }
  if (run.row.outcome) throw new StoreError('invalid', `The run ${id} has ended.`)
  return run
}

const parentOf = ({ runs }: Rows, { row }: StoredRun): StoredRun | undefined =>
  row.parent && runs.get(row.parent.runId)
