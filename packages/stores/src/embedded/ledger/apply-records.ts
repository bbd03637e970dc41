import { StoreError, toThreadTitle } from '@capstan/harness'
import type { LedgerRecord } from '@capstan/harness'
import type { RunId, RunRow } from '@capstan/protocol'
import type { ApprovalRows } from '../approvals/approval-rows.ts'
import type { MediaRows } from './media-rows.ts'
import type { QueueRows } from './queue-rows.ts'
import type { RunRows, StoredRun } from '../runs/run-rows.ts'
import type { KnownThread, ThreadRows } from '../threads/thread-rows.ts'

export interface Rows {
  readonly threads: ThreadRows
  readonly runs: RunRows
  readonly approvals: ApprovalRows
  readonly media: MediaRows
  readonly queue: QueueRows
}

type RecordOf<Type extends LedgerRecord['type']> = Extract<LedgerRecord, { readonly type: Type }>

/** Brings the rows up to one record, inside of the transaction that writes it. Throws what is wrong with it. */
export function applyRecord(rows: Rows, thread: KnownThread, record: LedgerRecord): void {
  switch (record.type) {
    case 'run-start':
      startRun(rows, thread, record)
      break
    case 'run-resume': {
      const run = unfinished(rows, thread, record.runId)
      rows.runs.update(run, { status: 'running', waitsFor: undefined, resumes: run.row.resumes + 1 })
      for (const below of runsBelow(rows, run)) {
        if (!below.row.outcome) rows.runs.update(below, { status: 'running', waitsFor: undefined })
      }
      break
    }
    case 'run-park': {
      const run = unfinished(rows, thread, record.runId)
      rows.runs.update(run, { status: 'waiting', waitsFor: record.waitsFor })
      for (let above = parentOf(rows, run); above; above = parentOf(rows, above)) {
        if (!above.row.outcome) rows.runs.update(above, { status: 'waiting' })
      }
      break
    }
    case 'run-end':
      endRun(rows, thread, record)
      break
    case 'approval-open':
      if (record.request.threadId !== thread.id) throw strayRecord(thread)
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
      // The journal alone tells these.
      break
  }
}

export const strayRecord = (thread: KnownThread): StoreError =>
  new StoreError('invalid', `A record for another thread was written to ${thread.id}.`)

const MAX_TEXT_CHARS = 200

function startRun({ runs, threads }: Rows, thread: KnownThread, { at, run }: RecordOf<'run-start'>): void {
  const { runId, messageId, parent } = run
  if (messageId !== undefined && runs.findByMessage(thread.no, messageId)) {
    throw new StoreError('invalid', `The message ${messageId} was already taken in.`)
  }
  if (runs.get(runId)) throw new StoreError('invalid', `There already is a run ${runId}.`)
  const row: RunRow = {
    id: runId,
    threadId: thread.id,
    ...(parent && { parent }),
    agent: run.agent,
    depth: run.depth,
    origin: run.origin,
    model: run.model,
    status: 'running',
    text: cutText(run.text, MAX_TEXT_CHARS),
    startedAt: at,
    resumes: 0,
  }
  const root = (parent && runs.get(parent.runId)?.root) ?? runId
  runs.insert({ row, thread: thread.no, userId: thread.userId, root, messageId, fromSeq: thread.lastSeq })
  if (run.depth > 0) return
  const shown = threads.get(thread.id)!
  threads.update({ ...shown, title: shown.title || toThreadTitle(run.text), updatedAt: at })
}

function endRun({ runs, threads }: Rows, thread: KnownThread, record: RecordOf<'run-end'>): void {
  const { runId, outcome, at } = record
  const run = unfinished({ runs }, thread, runId)
  runs.update(run, { status: outcome.type, outcome, endedAt: at, waitsFor: undefined })
  if (run.row.depth > 0) return
  threads.update({ ...threads.get(thread.id)!, updatedAt: at })
}

function unfinished({ runs }: Pick<Rows, 'runs'>, thread: KnownThread, id: RunId): StoredRun {
  const run = runs.get(id)
  if (run?.thread !== thread.no) {
    throw new StoreError('invalid', `The thread ${thread.id} has no run ${id}.`)
  }
  if (run.row.outcome) throw new StoreError('invalid', `The run ${id} has ended.`)
  return run
}

const parentOf = ({ runs }: Rows, { row }: StoredRun): StoredRun | undefined =>
  row.parent && runs.get(row.parent.runId)

function runsBelow({ runs }: Rows, run: StoredRun): StoredRun[] {
  return toTree(runs.ofTurn(run.thread, run.root), run.row.id).slice(1)
}

/** The run and everything below it, parents first. */
export function toTree(runs: readonly StoredRun[], id: RunId): StoredRun[] {
  const tree = runs.filter(({ row }) => row.id === id)
  // Grows while it is walked.
  for (const { row } of tree) tree.push(...runs.filter((run) => run.row.parent?.runId === row.id))
  return tree
}

/** Never ends in half a character. */
function cutText(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(0, maxChars).replace(/[\uD800-\uDBFF]$/, '')
}
