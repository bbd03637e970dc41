import type { WaitsFor } from '@capstan/protocol'
import type { ApprovalGate } from '../ports/approval-gate.ts'
import type { ApprovalStore } from '../ports/store.ts'
import type { Recorder } from '../seams/observers/recorder.ts'
import type { Clock } from '../turn/clock.ts'
import type { RunContext } from '../turn/run-context.ts'
import { RecordingError, TurnParked } from '../turn/errors.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** A parked run costs nothing, so there is time to ask somebody who is away. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 60 * 60 * 1000

/**
 * Approvals that outlive the process. A request is stored before anybody hears of it; the run that waits for the answer
 * is parked and holds nothing; what was asked is found again by the call it was asked for.
 */
export function createLedgerApprovals(options: {
  readonly approvals: ApprovalStore
  readonly recorder: Recorder
  readonly clock: Clock
  readonly userId: string
  readonly timeoutMs: number
  /** Approvals whose answer the watchers have heard. */
  readonly announced: ReadonlySet<string>
}): ApprovalGate {
  const { recorder, clock, userId, timeoutMs, announced } = options
  const approvals = options.approvals
  /** A store that cannot be read is no answer: the turn goes on when it can be. */
  const ask = async <Answer>(read: () => MaybePromise<Answer>): Promise<Answer> => {
    try {
      return await read()
    } catch (error) {
      throw new RecordingError(error)
    }
  }
  return {
    timeoutMs,
    isAlwaysAllowed: (tool) => ask(() => approvals.isAlwaysAllowed(userId, tool)),
    async find(runId, callId) {
      const asked = await ask(() => approvals.findByCall(runId, callId))
      if (!asked) return undefined
      const { id, digest, isIntact } = asked
      return { id, digest, isIntact, isAnnounced: announced.has(id) }
    },
    async open(request) {
      recorder.add({ type: 'approval-open', at: clock.now(), request })
    },
    async wait(id, { runId, signal }) {
      const asked = await ask(() => approvals.get(id))
      if (asked?.decision)
        return { decision: asked.isIntact ? asked.decision : 'expired', digest: asked.digest }
      if (signal.aborted) return { decision: 'expired', digest: '' }
      return park(recorder, { runId, clock }, { kind: 'approval', id })
    },
  }
}

/** Writes down what the run waits for, and lets go of it. */
export async function park(
  recorder: Recorder,
  { runId, clock }: Pick<RunContext, 'runId' | 'clock'>,
  waitsFor: WaitsFor,
): Promise<never> {
  recorder.add({ type: 'run-park', at: clock.now(), runId, waitsFor })
  await recorder.harden()
  throw new TurnParked(waitsFor)
}
