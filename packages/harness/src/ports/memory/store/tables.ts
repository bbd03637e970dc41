import type {
  ApprovalDecision,
  CallId,
  RunId,
  RunStatus,
  ThreadId,
  ThreadRow,
  TurnEvent,
  TurnOutcome,
  WaitsFor,
} from '@capstan/protocol'
import type { ApprovalRequest } from '../../approval-gate.ts'
import type { LedgerRecord, RunStart } from '../../ledger.ts'

export type RecordOf<Type extends LedgerRecord['type']> = Extract<LedgerRecord, { readonly type: Type }>

/** All that a store in memory holds. */
export interface Tables {
  readonly threads: Map<ThreadId, ThreadTable>
  readonly runs: Map<RunId, RunState>
  readonly approvals: Map<string, ApprovalState>
  /** Tools by user. */
  readonly alwaysAllowed: Map<string, Set<string>>
  /** Counts what calls were told of, which puts those of several runs in one order. */
  callTicks: number
}

export interface ThreadTable {
  row: ThreadRow
  /** One per commit. */
  readonly pages: (readonly LedgerRecord[])[]
  /** The event with the number 1 stands first, and none is missing. */
  readonly events: TurnEvent[]
  readonly runs: RunState[]
  readonly usages: RecordOf<'usage'>[]
  readonly byMessage: Map<string, RunState>
  readonly media: Map<string, Uint8Array>
  readonly approvalIds: string[]
  /** What was said to a running turn and has not reached the model. */
  readonly queued: Set<string>
  /** Questions and answers, for searching. */
  readonly said: string[]
}

export interface RunState {
  readonly thread: ThreadTable
  readonly start: RunStart
  readonly startedAt: number
  readonly parent: RunState | undefined
  readonly children: RunState[]
  readonly calls: Map<CallId, CallState>
  status: RunStatus
  resumes: number
  waitsFor: WaitsFor | undefined
  endedAt: number | undefined
  outcome: TurnOutcome | undefined
}

export interface CallState {
  intent: RecordOf<'call-intent'> | undefined
  result: RecordOf<'call-result'> | undefined
  tick: number
}

export interface ApprovalState {
  readonly request: ApprovalRequest
  readonly userId: string
  decision: ApprovalDecision | undefined
  decidedAt: number | undefined
}

export function createTables(): Tables {
  return {
    threads: new Map(),
    runs: new Map(),
    approvals: new Map(),
    alwaysAllowed: new Map(),
    callTicks: 0,
  }
}
