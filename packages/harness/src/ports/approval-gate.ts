import type { ApprovalDecision, CallId, RunId, ThreadId } from '@capstan/protocol'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** A question to a person, before a call runs. It is stored before anybody sees it. */
export interface ApprovalRequest {
  readonly id: string
  readonly threadId: ThreadId
  readonly runId: RunId
  readonly callId: CallId
  readonly tool: string
  readonly label: string
  /** What is shown: secrets are redacted. */
  readonly arguments: unknown
  /** Of the tool and its exact arguments: an approval covers these and nothing else. */
  readonly digest: string
  /** The call without cosmetic differences, hashed: what a no covers. */
  readonly signature: string
  readonly createdAt: number
  readonly expiresAt: number
}

export interface ApprovalAnswer {
  readonly decision: ApprovalDecision
  /** What the answer was given for. */
  readonly digest: string
}

/** Asks people. Whatever goes wrong is a refusal. */
export interface ApprovalGate {
  readonly timeoutMs: number
  /** Stores the request. Rejects when it could not be stored; then nobody was asked. */
  open(request: ApprovalRequest): Promise<void>
  /** Settles with the answer, with `expired` when the time is over, or when the signal aborts. */
  wait(id: string, signal: AbortSignal): Promise<ApprovalAnswer>
  isAlwaysAllowed(tool: string): MaybePromise<boolean>
}
