import type { CallId, FailureClass, Origin, RunId, ThreadId } from '@capstan/protocol'
import type { Effect } from '../turn/tool/tool.ts'

/** One call that was asked for, whether it ran or not. Never holds arguments or output. */
export interface AuditRow {
  readonly at: number
  readonly threadId: ThreadId
  readonly runId: RunId
  readonly callId: CallId
  readonly agent: string
  readonly origin: Origin
  readonly tool: string
  readonly effect: Effect | undefined
  /** Of tool and arguments, so that a row can be matched without keeping them. Reads that ran have none. */
  readonly digest?: string
  /** Whether it was allowed, and by what. */
  readonly decision: 'allowed' | 'approved' | 'refused' | 'invalid'
  readonly ok: boolean
  readonly failure?: FailureClass
  readonly durationMs: number
  readonly outputBytes: number
}

/** Where the rows go. Awaited: a call that cannot be audited fails the turn. */
export interface AuditLog {
  record(row: AuditRow): void | Promise<void>
}
