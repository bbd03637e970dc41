import type {
  ApprovalDecision,
  AuditLine,
  CallId,
  Grant,
  RunId,
  RunRow,
  ThreadId,
  ThreadRow,
  TurnEvent,
} from '@capstan/protocol'
import type { ApprovalRequest } from '../../approval-gate.ts'
import type { LedgerRecord, RecordOf } from '../../ledger.ts'
import type { OtherUsage } from '../../store.ts'

/** Everything a store in memory holds. */
export interface Tables {
  readonly threads: Map<ThreadId, ThreadTable>
  readonly runs: Map<RunId, RunState>
  readonly approvals: Map<string, ApprovalState>
  /** By user, then by id. */
  readonly grants: Map<string, Map<string, Grant>>
  /** By user: what the model calls of deleted threads cost. */
  readonly keptUsages: Map<string, OtherUsage[]>
  /** Audit lines besides those of the threads' records. */
  readonly audit: AuditLine[]
  /** Counts records of calls, which gives the calls of several runs one order. */
  callTicks: number
  /** How many runs were ever committed. */
  runCount: number
}

/** One thread and everything in it. */
export interface ThreadTable {
  row: ThreadRow
  /** One per commit. */
  readonly pages: (readonly LedgerRecord[])[]
  /** Event 1 is first, and none is missing. */
  readonly events: TurnEvent[]
  readonly runs: RunState[]
  readonly usages: RecordOf<'usage'>[]
  readonly byMessage: Map<string, RunState>
  readonly media: Map<string, Uint8Array>
  readonly approvalIds: string[]
  /** Messages to a running turn that have not reached the model. */
  readonly queued: Set<string>
  /** Questions and answers. */
  readonly searchable: string[]
}

/** One run and its calls. */
export interface RunState {
  readonly thread: ThreadTable
  /** Runs are numbered in the order they were committed. */
  readonly no: number
  /** Replaced when it changes. */
  row: RunRow
  readonly parent: RunState | undefined
  readonly children: RunState[]
  readonly calls: Map<CallId, CallState>
}

/** One call. */
export interface CallState {
  intent: RecordOf<'call-intent'> | undefined
  result: RecordOf<'call-result'> | undefined
  tick: number
}

/** One approval. */
export interface ApprovalState {
  readonly request: ApprovalRequest
  readonly userId: string
  decision: ApprovalDecision | undefined
  decidedAt: number | undefined
  /** The message that gave the answer. */
  answeredBy?: string
}

/** Empty tables. */
export function createTables(): Tables {
  return {
    threads: new Map(),
    runs: new Map(),
    approvals: new Map(),
    grants: new Map(),
    keptUsages: new Map(),
    audit: [],
    callTicks: 0,
    runCount: 0,
  }
}
