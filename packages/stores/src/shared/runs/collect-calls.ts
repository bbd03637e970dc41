import { toCallRow } from '@capstan/harness/stores'
import type { RecordOf } from '@capstan/harness/stores'
import type { CallRow, RunId, ThreadId } from '@capstan/protocol'
import { parseBody } from '../ledger/page-body.ts'

interface Call {
  readonly runId: RunId
  readonly threadId: ThreadId
  intent?: RecordOf<'call-intent'>
  result?: RecordOf<'call-result'>
}

/** The calls of these runs from the bodies of pages, in the order they ended, or started if they have not. */
export function collectCalls(bodies: Iterable<string>, threadIds: ReadonlyMap<RunId, ThreadId>): CallRow[] {
  // A call with another record moves to the end.
  const calls = new Map<string, Call>()
  for (const body of bodies) {
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
