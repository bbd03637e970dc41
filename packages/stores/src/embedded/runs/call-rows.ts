import { toCallRow } from '@capstan/harness/stores'
import type { RecordOf } from '@capstan/harness/stores'
import type { CallRow, RunId, ThreadId } from '@capstan/protocol'
import { HOLDS_CALLS, parseBody } from '../ledger/journal.ts'
import type { Journal } from '../ledger/journal.ts'
import type { RunRows } from './run-rows.ts'

interface Call {
  readonly runId: RunId
  readonly threadId: ThreadId
  intent?: RecordOf<'call-intent'>
  result?: RecordOf<'call-result'>
}

/**
 * Calls are read from the journal: they are read for one turn at a time, and rows of their own would double what the most
 * common commit writes. In the order they ended, or started if they have not.
 */
export function readCalls(journal: Journal, runs: RunRows, runIds: readonly RunId[]): CallRow[] {
  const threadIds = new Map<RunId, ThreadId>()
  const firstSeqs = new Map<number, number>()
  for (const runId of runIds) {
    const run = runs.get(runId)
    if (!run) continue
    threadIds.set(runId, run.row.threadId)
    firstSeqs.set(run.thread, Math.min(firstSeqs.get(run.thread) ?? Infinity, run.fromSeq))
  }
  const pages: { readonly id: number; readonly body: string }[] = []
  for (const [thread, from] of firstSeqs) {
    journal.visit(thread, { from, kinds: HOLDS_CALLS }, (page) => void pages.push(page))
  }
  if (firstSeqs.size > 1) pages.sort((a, b) => a.id - b.id)

  // A call with another record moves to the end.
  const calls = new Map<string, Call>()
  for (const { body } of pages) {
    for (const record of parseBody(body)) {
      if (record.type !== 'call-intent' && record.type !== 'call-result') continue
      const threadId = threadIds.get(record.runId)
      if (threadId === undefined) continue
      const callId = record.type === 'call-intent' ? record.callId : record.result.callId
      const key = JSON.stringify([record.runId, callId])
      const call = calls.get(key) ?? { runId: record.runId, threadId }
      if (record.type === 'call-intent') call.intent = record
      else call.result = record
      calls.delete(key)
      calls.set(key, call)
    }
  }
  return [...calls.values()].map(toCallRow)
}
