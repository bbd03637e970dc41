import type {
  ApprovalDecision,
  ApprovalReason,
  CallId,
  Grant,
  GrantBinding,
  GrantConstraints,
  HiddenValue,
  RunId,
  ThreadId,
} from '@capstan/protocol'
import type { GrantCall, GrantQuery } from '../turn/grant/grant.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** A question to a person, before a call runs. It is stored before anyone sees it. */
export interface ApprovalRequest {
  readonly id: string
  readonly threadId: ThreadId
  readonly runId: RunId
  readonly callId: CallId
  readonly tool: string
  readonly label: string
  /** What is shown: secrets are redacted. */
  readonly arguments: unknown
  /** Of the tool, its app and its exact arguments: an approval covers these and nothing else. */
  readonly digest: string
  /** What a grant for this call would be bound to. Absent: it can be allowed once only. */
  readonly binding?: GrantBinding
  /** Constraints that a grant may carry; the first has exactly the destinations of this call. */
  readonly limits?: readonly GrantConstraints[]
  /** The parts of the arguments that are redacted. */
  readonly hidden?: readonly HiddenValue[]
  /** The call without cosmetic differences, hashed: what a no covers. */
  readonly signature: string
  /** Why it asks, when more than the mode or a rule does. */
  readonly reason?: ApprovalReason
  readonly createdAt: number
  readonly expiresAt: number
}

/** The answer to an approval. */
export interface ApprovalAnswer {
  readonly decision: ApprovalDecision
  /** What the answer was given for. */
  readonly digest: string
}

/** An approval that was requested before the run was interrupted. */
export interface AskedBefore {
  readonly id: string
  readonly digest: string
  /** Absent for a question of an older version, which knew only the tool and its arguments. */
  readonly binding?: GrantBinding
  /** False when the question or the answer was edited outside of the store. */
  readonly isIntact: boolean
  /** The answer was announced to the watchers. */
  readonly isAnnounced: boolean
}

/** The run that waits. */
export interface WaitingCall {
  readonly runId: RunId
  readonly signal: AbortSignal
  /** The sub-agent started without waiting that the run belongs to. It waits without the rest of the turn. */
  readonly branch?: RunId
}

/** Asks people. Any error is a refusal. */
export interface ApprovalGate {
  readonly timeoutMs: number
  /** Stores the request. Rejects when it could not be stored: then the question was not asked. */
  open(request: ApprovalRequest): Promise<void>
  /** The approval that was asked for this call before the run was interrupted. */
  find?(runId: RunId, callId: CallId): MaybePromise<AskedBefore | undefined>
  /**
   * Settles with the answer, or with `expired` when the time is over or the run is stopped. Rejects with `TurnParked`
   * when the run should park until there is one.
   */
  wait(id: string, run: WaitingCall): Promise<ApprovalAnswer>
  /** A grant that covers this call. The caller checks again that it does, so a wrong one allows nothing. */
  findGrant(call: GrantCall, query: GrantQuery): MaybePromise<Grant | undefined>
}
