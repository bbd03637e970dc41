import type { WaitsFor } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { ApprovalGate } from '../../ports/approval-gate.ts'
import type { ApprovalStore, Store } from '../../ports/store.ts'
import type { TurnObserver } from '../../seams/seams.ts'
import type { Clock } from '../../turn/clock.ts'
import { RecordingError, TurnParked } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { RunContext } from '../../turn/run-context.ts'

/** A parked run costs nothing, so there is time to ask somebody who is away. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 60 * 60 * 1000

/** Parks runs of one thread. */
export interface Parking {
  /** Records what the run waits for, then throws `TurnParked` through the whole tree of runs. */
  park(run: Pick<RunContext, 'runId' | 'clock'>, waitsFor: WaitsFor): Promise<never>
  /** What the runs of the turn wait for, in order. */
  readonly waits: readonly WaitsFor[]
}

export function createParking(recorder: Recorder): Parking {
  const waits: WaitsFor[] = []
  return {
    waits,
    async park({ runId, clock }, waitsFor) {
      recorder.add({ type: 'run-park', at: clock.now(), runId, waitsFor })
      waits.push(waitsFor)
      await recorder.commitAndSync()
      throw new TurnParked(waitsFor)
    },
  }
}

export interface LedgerApprovals extends ApprovalGate {
  /** Whether it has asked a person since the thread was opened. */
  readonly hasAsked: boolean
}

/**
 * Approvals that outlive the process. A request is stored before it is announced; the run that waits for the answer is
 * parked and holds no memory; a resumed call finds its own request again.
 */
export function createLedgerApprovals(options: {
  readonly approvals: ApprovalStore
  readonly recorder: Recorder
  readonly parking: Parking
  readonly clock: Clock
  readonly userId: string
  readonly timeoutMs: number
  /** Approvals whose answer was announced. */
  readonly announced: ReadonlySet<string>
}): LedgerApprovals {
  const { approvals, recorder, parking, clock, userId, timeoutMs, announced } = options
  let hasAsked = false
  /** A store that cannot be read is not an answer: the turn goes on when it can be read again. */
  const read = async <Answer>(work: () => MaybePromise<Answer>): Promise<Answer> => {
    try {
      return await work()
    } catch (error) {
      throw new RecordingError(error)
    }
  }
  return {
    timeoutMs,
    get hasAsked() {
      return hasAsked
    },
    isAlwaysAllowed: (tool) => read(() => approvals.isAlwaysAllowed(userId, tool)),
    async find(runId, callId) {
      const asked = await read(() => approvals.findByCall(runId, callId))
      if (!asked) return undefined
      const { id, digest, isIntact } = asked
      return { id, digest, isIntact, isAnnounced: announced.has(id) }
    },
    async open(request) {
      hasAsked = true
      recorder.add({ type: 'approval-open', at: clock.now(), request })
    },
    async wait(id, { runId, signal }) {
      const asked = await read(() => approvals.get(id))
      if (asked?.decision)
        return { decision: asked.isIntact ? asked.decision : 'expired', digest: asked.digest }
      if (signal.aborted) return { decision: 'expired', digest: '' }
      return parking.park({ runId, clock }, { kind: 'approval', id })
    },
  }
}

/**
 * Withdraws what a turn asked for when it ends without the answer: the approvals of all its runs, before the end is
 * announced. The only place that does so.
 */
export function withdrawAtEnd(
  { runs, approvals }: Store,
  recorder: Recorder,
  mayHaveAsked: () => boolean,
): TurnObserver {
  return {
    async turnEnded({ runId, depth, clock }, { type }) {
      if (depth > 0 || type === 'done' || !mayHaveAsked()) return
      await recorder.flush() // a turn stopped while it asks has its request in memory still
      try {
        const tree = await runs.tree(runId)
        const asked = await approvals.ofRuns(tree.map(({ id }) => id))
        for (const { id, decision } of asked)
          if (decision === undefined) await approvals.answer(id, 'deny', clock.now())
      } catch (error) {
        throw new RecordingError(error)
      }
    },
  }
}
