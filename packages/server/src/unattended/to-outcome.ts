import type { Failure, RunId, RunRow, TurnOutcome, WaitsFor } from '@capstan/protocol'

/** How a turn without a person stands. */
export type UnattendedOutcome =
  | { readonly type: 'running'; readonly runId: RunId }
  /** It is parked until a person answers. */
  | { readonly type: 'waits'; readonly runId: RunId; readonly waitsFor?: WaitsFor }
  /** `isCapped`: a limit was reached. The text is a report, and a person can continue it. */
  | { readonly type: 'ended'; readonly runId: RunId; readonly text: string; readonly isCapped?: true }
  | {
      readonly type: 'failed'
      readonly runId: RunId
      readonly text: string
      readonly failure?: Failure
    }
  /** The thread was deleted, is not this user's, or never had this message. */
  | { readonly type: 'gone' }

/** Reads the outcome of a stored run. A turn that a person stopped, or a guard halted, has failed. Pure. */
export function toOutcome(run: RunRow | undefined): UnattendedOutcome {
  if (!run) return { type: 'gone' }
  const { id: runId, outcome, status, waitsFor } = run
  if (outcome) return toEnd(runId, outcome)
  if (status === 'waiting') return { type: 'waits', runId, ...(waitsFor && { waitsFor }) }
  return { type: 'running', runId }
}

function toEnd(runId: RunId, outcome: TurnOutcome): UnattendedOutcome {
  const { type, text } = outcome
  switch (type) {
    case 'done':
      return { type: 'ended', runId, text }
    case 'needs-input':
      return { type: 'waits', runId }
    case 'capped':
      return { type: 'ended', runId, text, isCapped: true }
    case 'halted':
    case 'failed':
      return { type: 'failed', runId, text, ...(outcome.failure && { failure: outcome.failure }) }
    case 'aborted':
      return { type: 'failed', runId, text }
  }
}
