import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { ApprovalGate } from '../../ports/approval-gate.ts'
import type { ApprovalStore, Store } from '../../ports/store.ts'
import type { TurnObserver } from '../../seams/seams.ts'
import type { Clock } from '../../turn/clock.ts'
import { grantCovers } from '../../turn/grant/grant.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Parking } from './parking.ts'

/** The default lifetime of an approval. It is long, because a parked run costs nothing. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 60 * 60 * 1000

/** Whether the turn may have asked a person for something that is still open. */
export interface Asking {
  isOpen: boolean
}

/**
 * Creates approvals that survive the process. A request is stored before it is announced. The run that waits for the
 * answer is parked and holds no memory. A resumed call finds its own request again.
 */
export function createLedgerApprovals(options: {
  readonly approvals: ApprovalStore
  readonly recorder: Recorder
  readonly parking: Parking
  readonly clock: Clock
  readonly userId: string
  readonly timeoutMs: number
  /** Approvals whose answers were announced. */
  readonly announced: ReadonlySet<string>
  readonly asking: Asking
}): ApprovalGate {
  const { approvals, recorder, parking, clock, userId, timeoutMs, announced, asking } = options
  /** A failed read is not an answer. It leaves the turn unfinished, to be resumed when the store works again. */
  const read = async <Answer>(work: () => MaybePromise<Answer>): Promise<Answer> => {
    try {
      return await work()
    } catch (error) {
      throw new RecordingError(error)
    }
  }
  return {
    timeoutMs,
    async findGrant(call, query) {
      const grants = await read(() => approvals.findGrants(userId, call.tool))
      return grants.find((grant) => grantCovers(grant, call, query))
    },
    async find(runId, callId) {
      const asked = await read(() => approvals.findByCall(runId, callId))
      if (!asked) return undefined
      const { id, digest, binding, isIntact } = asked
      return { id, digest, ...(binding && { binding }), isIntact, isAnnounced: announced.has(id) }
    },
    async open(request) {
      asking.isOpen = true
      recorder.add({ type: 'approval-open', at: clock.now(), request })
    },
    async wait(id, { runId, signal, branch }) {
      const asked = await read(() => approvals.get(id))
      if (asked?.decision)
        return { decision: asked.isIntact ? asked.decision : 'expired', digest: asked.digest }
      if (signal.aborted) return { decision: 'expired', digest: '' }
      return parking.park({ runId, clock, ...(branch && { branch }) }, [{ kind: 'approval', id }])
    },
  }
}

/**
 * Withdraws the open approvals of all runs of a turn, or of a sub-agent started without waiting, that ends without their
 * answers, before the end is announced. No other place withdraws approvals.
 */
export function withdrawAtEnd({ runs, approvals }: Store, recorder: Recorder, asking: Asking): TurnObserver {
  return {
    async turnEnded({ runId, depth, clock, branch }) {
      if (!asking.isOpen || (depth > 0 && branch !== runId)) return
      if (depth === 0) asking.isOpen = false
      await recorder.flush() // a turn stopped while it asks may still have its request in memory
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
