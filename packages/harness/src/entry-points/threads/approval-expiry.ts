import type { ThreadId } from '@capstan/protocol'
import type { ApprovalStore } from '../../ports/store.ts'
import type { Clock } from '../../turn/clock.ts'

interface ApprovalExpiryOptions {
  readonly approvals: ApprovalStore
  readonly clock: Clock
  readonly onExpired: (approvalId: string, threadId: ThreadId) => Promise<void>
  readonly onProblem: (error: unknown) => void
}

/** One timer for all approvals: each becomes a refusal when its time is over, also when nobody asks. */
export class ApprovalExpiry {
  readonly #options: ApprovalExpiryOptions
  #isStopped = false
  #disarm = (): void => {}

  constructor(options: ApprovalExpiryOptions) {
    this.#options = options
  }

  /** Sets the timer to the next approval that expires. Never throws. */
  async arm(): Promise<void> {
    const { approvals, clock, onProblem } = this.#options
    try {
      const next = await approvals.nextExpiry()
      this.#disarm()
      if (next === undefined || this.#isStopped) return
      this.#disarm = clock.after(Math.max(0, next - clock.now()), () => void this.expire().catch(onProblem))
    } catch (error) {
      onProblem(error)
    }
  }

  /** Expires what is due. */
  async expire(): Promise<void> {
    const { approvals, clock, onExpired } = this.#options
    for (const { id, threadId } of await approvals.expire(clock.now())) await onExpired(id, threadId)
    await this.arm()
  }

  stop(): void {
    this.#isStopped = true
    this.#disarm()
  }
}
