import type { CallId, RunId } from '@capstan/protocol'
import { textOf } from '../../../turn/message.ts'
import type { LedgerRecord } from '../../ledger.ts'
import { toThreadTitle } from '../../thread-title.ts'
import type { CallState, RecordOf, RunState, Tables, ThreadTable } from './tables.ts'

/** Brings the rows up to one record, which was checked before. */
export function applyRecord(tables: Tables, thread: ThreadTable, record: LedgerRecord): void {
  switch (record.type) {
    case 'event':
      thread.events.push(record.event)
      break
    case 'usage':
      thread.usages.push(record)
      break
    case 'message':
      if (record.message.role === 'user' && record.message.delivery && isTurn(tables, record.runId)) {
        thread.said.push(textOf(record.message))
      }
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
      startRun(tables, thread, record)
      break
    case 'run-resume': {
      const run = tables.runs.get(record.runId)!
      run.resumes++
      goOn(run)
      break
    }
    case 'run-park': {
      const waiting = tables.runs.get(record.runId)!
      waiting.waitsFor = record.waitsFor
      for (let run: RunState | undefined = waiting; run; run = run.parent) {
        if (!run.outcome) run.status = 'waiting'
      }
      break
    }
    case 'run-end':
      endRun(thread, tables.runs.get(record.runId)!, record)
      break
    case 'approval-open': {
      const { request } = record
      tables.approvals.set(request.id, {
        // What a person will be shown is what it was when it was asked for, whatever happens to the caller's object.
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
    case 'surface-announced':
    case 'history-replace':
      // No row shows these.
      break
  }
}

function isTurn(tables: Tables, runId: RunId): boolean {
  return tables.runs.get(runId)?.start.depth === 0
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

function startRun(tables: Tables, thread: ThreadTable, { at, run: start }: RecordOf<'run-start'>): void {
  const parent = start.parent && tables.runs.get(start.parent.runId)
  const run: RunState = {
    thread,
    start,
    startedAt: at,
    parent,
    children: [],
    calls: new Map(),
    status: 'running',
    resumes: 0,
    waitsFor: undefined,
    endedAt: undefined,
    outcome: undefined,
  }
  tables.runs.set(start.runId, run)
  thread.runs.push(run)
  parent?.children.push(run)
  if (start.messageId !== undefined) thread.byMessage.set(start.messageId, run)
  if (start.depth > 0) return
  const { title } = thread.row
  thread.row = { ...thread.row, title: title === '' ? toThreadTitle(start.text) : title, updatedAt: at }
  thread.said.push(start.text)
}

function endRun(thread: ThreadTable, run: RunState, { at, outcome }: RecordOf<'run-end'>): void {
  run.status = outcome.type
  run.outcome = outcome
  run.endedAt = at
  run.waitsFor = undefined
  if (run.start.depth > 0) return
  thread.row = { ...thread.row, updatedAt: at }
  thread.said.push(outcome.text)
}

/** A turn goes on as a whole, with everything in it that has not ended. */
function goOn(run: RunState): void {
  if (!run.outcome) {
    run.status = 'running'
    run.waitsFor = undefined
  }
  for (const child of run.children) goOn(child)
}
