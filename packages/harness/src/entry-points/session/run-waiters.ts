import type { RunId, TurnOutcome } from '@capstan/protocol'
import type { RunStore } from '../../ports/store.ts'

/** Who waits for the outcome of a run, however long it is parked. */
export class RunWaiters {
  readonly #waiting = new Map<RunId, PromiseWithResolvers<TurnOutcome>>()
  readonly #runs: RunStore | undefined

  constructor(runs?: RunStore) {
    this.#runs = runs
  }

  get isEmpty(): boolean {
    return this.#waiting.size === 0
  }

  has(runId: RunId): boolean {
    return this.#waiting.has(runId)
  }

  /** The outcome of a run that has not ended yet. */
  wait(runId: RunId): Promise<TurnOutcome> {
    let waiter = this.#waiting.get(runId)
    if (!waiter) {
      waiter = Promise.withResolvers()
      waiter.promise.catch(ignore) // an outcome nobody awaits is no unhandled rejection
      this.#waiting.set(runId, waiter)
    }
    return waiter.promise
  }

  /** The outcome of a run that may have ended meanwhile. */
  async find(runId: RunId): Promise<TurnOutcome> {
    const end = this.wait(runId)
    const row = await this.#runs?.get(runId)
    if (row?.outcome) this.take(runId)?.resolve(row.outcome)
    return end
  }

  /** Takes the waiter out, to be settled when the thread is free again. */
  take(runId: RunId): PromiseWithResolvers<TurnOutcome> | undefined {
    const waiter = this.#waiting.get(runId)
    this.#waiting.delete(runId)
    return waiter
  }
}

const ignore = (): void => {}
