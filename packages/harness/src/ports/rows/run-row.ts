import type { RunRow, ThreadId, ThreadRow, WaitsFor } from '@capstan/protocol'
import { cutText } from '../../text/cut-text.ts'
import type { RecordOf } from '../ledger.ts'
import { toThreadTitle } from './thread-title.ts'

const MAX_TEXT_CHARS = 200

/** The row of a run that starts. */
export function toStartedRow(threadId: ThreadId, { at, run }: RecordOf<'run-start'>): RunRow {
  return {
    id: run.runId,
    threadId,
    ...(run.parent && { parent: run.parent }),
    agent: run.agent,
    depth: run.depth,
    origin: run.origin,
    model: run.model,
    status: 'running',
    text: cutText(run.text, MAX_TEXT_CHARS),
    startedAt: at,
    resumes: 0,
  }
}

/** The row of a run that resumes. The runs below it go on with it: `toRunningRow`. */
export function toResumedRow(row: RunRow): RunRow {
  return { ...toRunningRow(row), resumes: row.resumes + 1 }
}

/** The row of a run that no longer waits. A run that has ended stays as it is. */
export function toRunningRow(row: RunRow): RunRow {
  if (row.outcome) return row
  const { waitsFor: _over, ...rest } = row
  return { ...rest, status: 'running' }
}

/** The row of a run that waits: with `waitsFor` itself, without it for a run below. A run that has ended stays as it is. */
export function toWaitingRow(row: RunRow, waitsFor: WaitsFor | undefined = row.waitsFor): RunRow {
  if (row.outcome) return row
  return { ...row, status: 'waiting', ...(waitsFor && { waitsFor }) }
}

/** The row of a run that ends. */
export function toEndedRow(row: RunRow, { at, outcome }: RecordOf<'run-end'>): RunRow {
  const { waitsFor: _over, ...rest } = row
  return { ...rest, status: outcome.type, outcome, endedAt: at }
}

/** The row of a thread once a turn in it started or ended. The first question becomes the title. */
export function toTouchedThread(row: ThreadRow, record: RecordOf<'run-start' | 'run-end'>): ThreadRow {
  const title = row.title === '' && record.type === 'run-start' ? toThreadTitle(record.run.text) : row.title
  return { ...row, title, updatedAt: record.at }
}
