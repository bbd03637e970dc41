import type { CallRow, RunId, ThreadId } from '@capstan/protocol'
import type { RecordOf } from '../ledger.ts'

/** A call as its records describe it: at least one of the two is there. */
export interface RecordedCall {
  readonly runId: RunId
  readonly threadId: ThreadId
  readonly intent?: RecordOf<'call-intent'> | undefined
  readonly result?: RecordOf<'call-result'> | undefined
}

/** The row of a call. */
export function toCallRow({ runId, threadId, intent, result: end }: RecordedCall): CallRow {
  const effect = end?.effect ?? end?.audit?.effect ?? intent?.effect
  const digest = end?.audit?.digest ?? intent?.digest
  return {
    runId,
    threadId,
    callId: end?.result.callId ?? intent!.callId,
    tool: (end?.result ?? intent)!.tool,
    ...(effect && { effect }),
    status: end ? (end.result.ok ? 'ok' : 'failed') : 'started',
    ...(end?.audit && { decision: end.audit.decision }),
    ...(end?.result.failure && { failure: end.result.failure }),
    at: (end ?? intent)!.at,
    durationMs: end?.result.durationMs ?? 0,
    outputBytes: end?.result.outputBytes ?? 0,
    ...(digest !== undefined && { digest }),
  }
}
