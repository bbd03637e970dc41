import type { Failure } from './failure.ts'
import type { CallId, RunId, ThreadId } from './ids.ts'
import type { GrantBinding, GrantConstraints, HiddenValue } from './grant.ts'
import type { ApprovalDecision, Origin, ParentCall, TurnOutcome } from './run.ts'
import type { Usage } from './usage.ts'

// Rows of the ledger, as a screen reads them.

/** One conversation. */
export interface ThreadRow {
  readonly id: ThreadId
  readonly userId: string
  /** Blank until the first message, unless a person named it. */
  readonly title: string
  readonly createdAt: number
  /** When a turn last began or ended. */
  readonly updatedAt: number
  readonly archivedAt?: number
  /** Its own queue mode. Absent: the default. */
  readonly queueMode?: QueueMode
}

/**
 * What messages do that are queued while a turn is running. `collect`: all that wait become one next turn. `one-by-one`:
 * each becomes a turn of its own, in order. `interrupt`: the running turn is stopped, and the message begins at once.
 */
export type QueueMode = (typeof QUEUE_MODES)[number]

/** The queue modes. */
export const QUEUE_MODES = ['collect', 'one-by-one', 'interrupt'] as const

/** `waiting`: it holds no memory and resumes when what it waits for is settled. The others are outcomes. */
export type RunStatus = 'running' | 'waiting' | TurnOutcome['type']

/** What a parked run waits for. `id` is an approval's, a sign-in's. */
export interface WaitsFor {
  readonly kind: 'approval' | 'sign-in'
  readonly id: string
}

/** One run: a turn or a sub-agent. */
export interface RunRow {
  readonly id: RunId
  readonly threadId: ThreadId
  /** Set for a sub-agent. */
  readonly parent?: ParentCall
  readonly agent: string
  readonly depth: number
  readonly origin: Origin
  readonly model: string
  readonly status: RunStatus
  /** What was asked, cut to a line or two. */
  readonly text: string
  readonly startedAt: number
  readonly endedAt?: number
  /** How often it resumed, after a crash or a wait. */
  readonly resumes: number
  readonly waitsFor?: WaitsFor
  /** Once it has ended; usage and iterations are in it. */
  readonly outcome?: TurnOutcome
}

/** One tool call of a run. */
export interface CallRow {
  readonly runId: RunId
  readonly threadId: ThreadId
  readonly callId: CallId
  readonly tool: string
  readonly effect?: 'read' | 'write' | 'admin'
  /** `started`: it may or may not have happened. Only calls that change something have this status. */
  readonly status: 'started' | 'ok' | 'failed'
  /** What allowed or stopped it. */
  readonly decision?: 'allowed' | 'approved' | 'refused' | 'invalid'
  readonly failure?: Failure
  /** When it ended; while it is `started`, when it began. */
  readonly at: number
  readonly durationMs: number
  readonly outputBytes: number
  /** Of tool and arguments. Reads that ran have none. */
  readonly digest?: string
}

/** Where a text came from that the conversation has read. All of it is untrusted text, sanitized and cut. */
export interface ReadSource {
  readonly tool: string
  /** The app it was read in, as people call it. */
  readonly app?: string
  /** What was read: a URL, a file, a title. */
  readonly name?: string
}

/**
 * Why a call asks although the mode would allow it. `data-flow`: the conversation has read private data and untrusted
 * text, and the call would send something out or change something. `repeat`: the same call has succeeded in this turn.
 */
export type ApprovalReason = FlowReason | { readonly kind: 'repeat' }

/** Why the data-flow rule asks. */
export interface FlowReason {
  readonly kind: 'data-flow'
  /** The texts that may have led to the call. */
  readonly sources: readonly ReadSource[]
  /** Where it would send something, as its arguments say it. */
  readonly destinations: readonly string[]
}

/** A request for a yes, and its answer. */
export interface ApprovalRow {
  readonly id: string
  readonly threadId: ThreadId
  readonly runId: RunId
  readonly callId: CallId
  readonly tool: string
  readonly label: string
  /** What is shown: secrets are redacted. */
  readonly arguments: unknown
  readonly digest: string
  /** What a grant for this call would be bound to. Absent: it can be allowed once only. */
  readonly binding?: GrantBinding
  /** Constraints that a grant may carry; the first has exactly the destinations of this call. */
  readonly limits?: readonly GrantConstraints[]
  /** The parts of the arguments that are redacted. */
  readonly hidden?: readonly HiddenValue[]
  readonly createdAt: number
  readonly expiresAt: number
  /** Set when more than the mode or a rule asks. */
  readonly reason?: ApprovalReason
  readonly decision?: ApprovalDecision
  readonly decidedAt?: number
}

/** How the answer to an approval was received. */
export type AnswerReceipt = 'accepted' | 'already-answered' | 'expired' | 'unknown'

/** Tokens and money over some runs. */
export interface UsageRow {
  readonly model: string
  readonly calls: number
  readonly usage: Usage
}
