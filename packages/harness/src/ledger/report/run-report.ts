import type {
  ApprovalDecision,
  CallId,
  Failure,
  NoticeFact,
  Origin,
  ParentCall,
  RunId,
  RunStatus,
} from '@capstan/protocol'
import type { TurnOutcome, Usage, UsageRow, WaitsFor } from '@capstan/protocol'
import type { AuditRow } from '../../ports/audit-log.ts'
import type { Effect } from '../../turn/tool/tool.ts'

/** What the ledger alone tells about a run, as plain data. */
export interface RunReport {
  readonly runId: RunId
  readonly conversationId: string
  readonly agent: string
  readonly depth: number
  readonly origin: Origin
  readonly model: string
  /** Set for a sub-agent. */
  readonly parent?: ParentCall
  readonly asked: string
  readonly status: RunStatus
  readonly startedAt: number
  readonly endedAt?: number
  /** From its start to its end, or to its last record. */
  readonly durationMs: number
  /** The part of `durationMs` in which it was parked. */
  readonly parkedMs: number
  /** The part of `durationMs` in which it, or a run below it, waited for a person. */
  readonly waitedMs: number
  /** Tool calls, of sub-agents too: those that ran, and those that were refused or never came to run. */
  readonly calls: { readonly ran: number; readonly notRun: number }
  readonly iterations: number
  readonly steps: readonly ReportStep[]
  readonly cost: ReportCost
  readonly stopped: ReportEnding
  /** Empty when every request extended the one before it. */
  readonly prefixBreaks: readonly ReportPrefixBreak[]
  /** Failures of tool calls and model calls, sub-agents included, most frequent first. */
  readonly failures: readonly ReportFailure[]
}

/** Why the run ended, or what it waits for, as a sentence. */
export interface ReportEnding {
  readonly sentence: string
  readonly outcome?: TurnOutcome
  readonly waitsFor?: WaitsFor
}

/** What a run used, with its sub-agents. */
export interface ReportCost {
  /** This run and all runs below it. */
  readonly total: Usage
  readonly calls: number
  /** The total by model. */
  readonly models: readonly UsageRow[]
  /** The share of each run below it. */
  readonly subAgents: readonly ReportSubAgentCost[]
}

/** What one sub-agent used, without the runs below it. */
export interface ReportSubAgentCost {
  readonly runId: RunId
  readonly agent: string
  readonly calls: number
  readonly usage: Usage
}

/** A request that did not extend the one before it, so the provider's prompt cache was lost. */
export interface ReportPrefixBreak {
  readonly runId: RunId
  readonly agent: string
  readonly iteration: number
  readonly field: 'tools' | 'system' | 'history'
  readonly reason: string
}

/** All failures of one class in a run. */
export interface ReportFailure {
  readonly class: Failure['class']
  readonly category: Failure['category']
  readonly count: number
  /** Tool names, "the model" or "the turn". */
  readonly where: readonly string[]
  /** The cause of the latest one. */
  readonly cause: string
  readonly next: string
}

/** One step of a run. Steps are in the order they happened. */
export type ReportStep = { readonly at: number } & (
  | ReportIteration
  | ReportCall
  /** Text of the model. `cut`: the connection broke before the reply was complete. */
  | { readonly type: 'said'; readonly text: string; readonly cut?: true }
  | {
      readonly type: 'retry'
      readonly iteration: number
      readonly model: string
      readonly attempt: number
      readonly delayMs: number
      readonly failure: Failure
    }
  | { readonly type: 'notice'; readonly text: string; readonly fact?: NoticeFact }
  | { readonly type: 'nudge'; readonly guard: string; readonly text: string }
  | ReportMessage
  | {
      readonly type: 'compaction'
      readonly tokensBefore: number
      readonly tokensAfter: number
      readonly how: 'summary' | 'digest'
    }
  | {
      readonly type: 'prefix-break'
      readonly iteration: number
      readonly field: 'tools' | 'system' | 'history'
      readonly reason: string
    }
  /** The tool source could not refresh its tools. */
  | { readonly type: 'stale'; readonly reason: string }
  | { readonly type: 'park'; readonly waitsFor: WaitsFor }
  /** `wait`: the run was parked. `interruption`: the process had ended during the run. */
  | { readonly type: 'resume'; readonly after: 'wait' | 'interruption'; readonly pausedMs: number }
)

/** One iteration: a model call and what it used. */
export interface ReportIteration {
  readonly type: 'iteration'
  readonly iteration: number
  /** The iteration had started before and was interrupted. */
  readonly again?: true
  readonly model?: string
  readonly usage?: Usage
  readonly durationMs?: number
}

/** `unknown`: the call was about to change something, and no result says whether it did. */
export type ReportCallStatus = 'ok' | 'failed' | 'stopped' | 'running' | 'waiting' | 'unknown'

/** One tool call with its approvals and the sub-agents it started. */
export interface ReportCall {
  readonly type: 'call'
  readonly callId: CallId
  readonly tool: string
  readonly label: string
  readonly detail?: string
  readonly arguments?: unknown
  readonly effect?: Effect
  readonly status: ReportCallStatus
  readonly decision?: AuditRow['decision']
  /** How often it ran. 0: it was refused, or waits. */
  readonly attempts: number
  readonly durationMs?: number
  readonly outputBytes?: number
  readonly failure?: Failure
  readonly approvals: readonly ReportApproval[]
  /** The runs of the sub-agents it started. */
  readonly runs: readonly RunReport[]
}

/** A request for approval and its answer. No `decision`: nobody has answered yet. */
export interface ReportApproval {
  readonly id: string
  readonly askedAt: number
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
  readonly waitedMs?: number
}

/** A message the user sent while the turn was running. */
export interface ReportMessage {
  readonly type: 'message'
  readonly mode: 'steer' | 'follow-up'
  readonly text: string
  readonly delivery: 'delivered' | 'next-turn' | 'refused' | 'waiting'
  readonly refused?: string
  /** From the moment it was sent. */
  readonly waitedMs?: number
}
