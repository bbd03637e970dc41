import type { CallId, RunId } from '@capstan/protocol'
import type { LedgerRecord, RecordOf } from '../../ledger.ts'
import {
  toEndedRow,
  toRunningRow,
  toWaitingRow,
  toResumedRow,
  toStartedRow,
  toTouchedThread,
} from '../../rows/run-row.ts'
import { searchableText } from '../../rows/searchable-text.ts'
import type { CallState, RunState, Tables, ThreadTable } from './tables.ts'

/** Adds one record to the tables. `checkCommit` has checked it. */
export function updateTables(tables: Tables, thread: ThreadTable, record: LedgerRecord): void {
  switch (record.type) {
    case 'event':
      thread.events.push(record.event)
      break
    case 'usage':
      thread.usages.push(record)
      break
    case 'call-intent': {
      const call = callOf(tables, record.runId, record.callId)
      call.intent = record
      call.tick = ++tables.callTicks
      break
    }
    case 'call-result': {
      const call = callOf(tables, record.runId, record.result.callId)
      call.result = record
      call.tick = ++tables.callTicks
      break
    }
    case 'run-start':
      insertRun(tables, thread, record)
      break
    case 'run-resume': {
      const run = tables.runs.get(record.runId)!
      run.row = toResumedRow(run.row)
      for (const child of run.children) goOn(child)
      break
    }
    case 'run-park': {
      const run = tables.runs.get(record.runId)!
      run.row = toWaitingRow(run.row, record.waitsFor)
      const isTop = ({ row }: RunState) => row.id === record.upTo
      for (let at = run; at.parent && !isTop(at); at = at.parent) at.parent.row = toWaitingRow(at.parent.row)
      break
    }
    case 'run-end': {
      const run = tables.runs.get(record.runId)!
      run.row = toEndedRow(run.row, record)
      if (run.row.depth === 0) thread.row = toTouchedThread(thread.row, record)
      break
    }
    case 'approval-open': {
      const { request } = record
      tables.approvals.set(request.id, {
        // A copy: a person is shown what was asked, whatever happens to the caller's object.
        request: { ...request, arguments: structuredClone(request.arguments) },
        userId: thread.row.userId,
        decision: undefined,
        decidedAt: undefined,
      })
      thread.approvalIds.push(request.id)
      break
    }
    case 'media':
      thread.media.set(record.ref, record.bytes.slice())
      break
    case 'message-queue':
      thread.queued.add(record.id)
      break
    case 'message-dequeue':
      thread.queued.delete(record.id)
      break
    case 'conversation-open':
    case 'history-replace':
    case 'message':
    case 'surface-announced':
      // No row shows these.
      break
  }
  const text = searchableText(record, (runId) => tables.runs.get(runId)?.row.depth === 0)
  if (text !== undefined) thread.searchable.push(text)
}

function callOf(tables: Tables, runId: RunId, callId: CallId): CallState {
  const { calls } = tables.runs.get(runId)!
  let call = calls.get(callId)
  if (!call) {
    call = { intent: undefined, result: undefined, tick: 0 }
    calls.set(callId, call)
  }
  return call
}

function insertRun(tables: Tables, thread: ThreadTable, record: RecordOf<'run-start'>): void {
  const { runId, messageId, depth, parent: above } = record.run
  const parent = above && tables.runs.get(above.runId)
  const run: RunState = {
    thread,
    no: ++tables.runCount,
    row: toStartedRow(thread.row.id, record),
    parent,
    children: [],
    calls: new Map(),
  }
  tables.runs.set(runId, run)
  thread.runs.push(run)
  parent?.children.push(run)
  if (messageId !== undefined) thread.byMessage.set(messageId, run)
  if (depth === 0) thread.row = toTouchedThread(thread.row, record)
}

function goOn(run: RunState): void {
  run.row = toRunningRow(run.row)
  for (const child of run.children) goOn(child)
}
