import type {
  ApprovalDecision,
  CallId,
  Failure,
  Origin,
  ParentCall,
  RunId,
  RunStatus,
} from '@capstan/protocol'
import type { TurnOutcome, Usage, UsageRow, WaitsFor } from '@capstan/protocol'
import type { AuditRow } from '../../ports/audit-log.ts'
import type { Effect } from '../../turn/tool.ts'

/** What can be told of a run from its ledger alone. Plain data. */
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
  /** From its start to its end, or to the last that was heard of it. */
  readonly durationMs: number
  /** The part of it in which it was parked. */
  readonly parkedMs: number
  readonly iterations: number
  readonly steps: readonly ReportStep[]
  readonly cost: ReportCost
  readonly stopped: ReportEnding
  /** Empty: every request was an extension of the one before it. */
  readonly prefixBreaks: readonly ReportPrefixBreak[]
  /** Of its calls and model calls, sub-agents included, the most frequent first. */
  readonly failures: readonly ReportFailure[]
}

/** Why it stopped, or what it waits for, in one plain sentence. */
export interface ReportEnding {
  readonly sentence: string
  readonly outcome?: TurnOutcome
  readonly waitsFor?: WaitsFor
}

export interface ReportCost {
  /** This run and every run below it. */
  readonly total: Usage
  readonly calls: number
  /** The same by model. */
  readonly models: readonly UsageRow[]
  /** Of that, each run below it. */
  readonly subAgents: readonly ReportSubAgentCost[]
}

export interface ReportSubAgentCost {
  readonly runId: RunId
  readonly agent: string
  readonly calls: number
  readonly usage: Usage
}

export interface ReportPrefixBreak {
  readonly runId: RunId
  readonly agent: string
  readonly iteration: number
  readonly field: 'tools' | 'system' | 'history'
  readonly reason: string
}

export interface ReportFailure {
  readonly class: Failure['class']
  readonly category: Failure['category']
  readonly count: number
  /** Tools, or "the model". */
  readonly where: readonly string[]
  /** Of the last one. */
  readonly cause: string
  readonly next: string
}

/** One thing that happened, in the order it happened. */
export type ReportStep = { readonly at: number } & (
  | ReportIteration
  | ReportCall
  /** Words of the model. `cut`: the connection broke before it had finished. */
  | { readonly type: 'said'; readonly text: string; readonly cut?: true }
  | {
      readonly type: 'retry'
      readonly iteration: number
      readonly model: string
      readonly attempt: number
      readonly delayMs: number
      readonly failure: Failure
    }
  | { readonly type: 'notice'; readonly text: string }
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
  /** What exists could not be brought up to date. */
  | { readonly type: 'stale'; readonly reason: string }
  | { readonly type: 'park'; readonly waitsFor: WaitsFor }
  /** `wait`: what it was parked for came. `interruption`: the process had ended without it. */
  | { readonly type: 'resume'; readonly after: 'wait' | 'interruption'; readonly pausedMs: number }
)

export interface ReportIteration {
  readonly type: 'iteration'
  readonly iteration: number
  /** It had begun before, and was interrupted. */
  readonly again?: true
  readonly model?: string
  readonly usage?: Usage
  readonly durationMs?: number
}

/** `unknown`: it was about to change something, and nobody knows whether it did. */
export type ReportCallStatus = 'ok' | 'failed' | 'stopped' | 'running' | 'waiting' | 'unknown'

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
  /** How often it was begun. */
  readonly attempts: number
  readonly durationMs?: number
  readonly outputBytes?: number
  readonly failure?: Failure
  readonly approvals: readonly ReportApproval[]
  /** The sub-agents that worked for it. */
  readonly runs: readonly RunReport[]
}

export interface ReportApproval {
  readonly id: string
  readonly askedAt: number
  readonly expiresAt: number
  readonly decision?: ApprovalDecision
  readonly waitedMs?: number
}

/** Said by the user while the turn was running. */
export interface ReportMessage {
  readonly type: 'message'
  readonly mode: 'steer' | 'follow-up'
  readonly text: string
  readonly delivery: 'delivered' | 'next-turn' | 'refused' | 'waiting'
  readonly refused?: string
  /** From the moment it was said. */
  readonly waitedMs?: number
}
