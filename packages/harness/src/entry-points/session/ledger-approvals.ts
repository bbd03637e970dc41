import type { CallId, RunId } from '@capstan/protocol'
import type { Recorder } from '../../ledger/recorder/recorder.ts'
import type { ApprovalGate, AskedBefore } from '../../ports/approval-gate.ts'
import type { ApprovalStore, Store } from '../../ports/store.ts'
import type { TurnObserver } from '../../seams/seams.ts'
import type { Clock } from '../../turn/clock.ts'
import { grantCovers } from '../../turn/grant/grant.ts'
import { RecordingError } from '../../turn/errors.ts'
import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { Parking } from './parking.ts'

/** The default lifetime of an approval. It is long, because a parked run costs nothing. */
export const APPROVAL_TIMEOUT_MS = 7 * 24 * 60 * 60 * 1000

/** What the turn has asked a person for. */
export interface Asking {
  /** Whether a question of this turn may exist. */
  isOpen: boolean
  /** The questions whose answers were announced. */
  readonly announced: Set<string>
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
  readonly asking: Asking
}): ApprovalGate {
  const { approvals, recorder, parking, clock, userId, timeoutMs, asking } = options
  /** A failed read is not an answer. It leaves the turn unfinished, to be resumed when the store works again. */
  const read = async <Answer>(work: () => MaybePromise<Answer>): Promise<Answer> => {
    try {
      return await work()
    } catch (error) {
      throw new RecordingError(error)
    }
  }
  const findAsked = async (runId: RunId, callId: CallId): Promise<AskedBefore | undefined> => {
    const asked = await read(() => approvals.findByCall(runId, callId))
    if (!asked) return undefined
    const { id, digest, binding, isIntact } = asked
    return { id, digest, ...(binding && { binding }), isIntact, isAnnounced: asking.announced.has(id) }
  }
  return {
    timeoutMs,
    async findGrant(call, query) {
      const grants = await read(() => approvals.findGrants(userId, call.tool))
      return grants.find((grant) => grantCovers(grant, call, query))
    },
    find: (runId, callId) => (asking.isOpen ? findAsked(runId, callId) : undefined),
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
 * answers, before the end is announced. No other place withdraws approvals. An answer that no call has heard, because it
 * was refused or closed for another reason, is announced here.
 */
export function withdrawAtEnd({ runs, approvals }: Store, recorder: Recorder, asking: Asking): TurnObserver {
  return {
    async turnEnded({ runId, depth, clock, branch, report }, { iterations }) {
      if (!asking.isOpen || (depth > 0 && branch !== runId)) return
      if (depth === 0) asking.isOpen = false
      await recorder.flush() // a turn stopped while it asks may still have its request in memory
      try {
        const tree = await runs.tree(runId)
        const asked = await approvals.ofRuns(tree.map(({ id }) => id))
        for (const { id, decision = 'withdrawn' } of asked) {
          if (decision === 'withdrawn') await approvals.answer(id, decision, clock.now())
          if (!asking.announced.has(id))
            await report({ type: 'approval-answer', iteration: iterations, approvalId: id, decision })
        }
      } catch (error) {
        throw new RecordingError(error)
      }
    },
  }
}
