import type { RunId, TurnOutcome } from '@capstan/protocol'
import type { RunStore } from '../../ports/store.ts'
import { ignore } from '../../turn/maybe-promise.ts'

/** Promises of the outcomes of runs, also of parked ones. */
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

  /** The outcome of a run that has not ended. */
  wait(runId: RunId): Promise<TurnOutcome> {
    let waiter = this.#waiting.get(runId)
    if (!waiter) {
      waiter = Promise.withResolvers()
      waiter.promise.catch(ignore) // no unhandled rejection when no caller awaits it
      this.#waiting.set(runId, waiter)
    }
    return waiter.promise
  }

  /** The outcome of a run that may have ended already. */
  async find(runId: RunId): Promise<TurnOutcome> {
    const end = this.wait(runId)
    const row = await this.#runs?.get(runId)
    if (row?.outcome) this.take(runId)?.resolve(row.outcome)
    return end
  }

  /** Removes and returns the waiter, to be settled when the thread is free again. */
  take(runId: RunId): PromiseWithResolvers<TurnOutcome> | undefined {
    const waiter = this.#waiting.get(runId)
    this.#waiting.delete(runId)
    return waiter
  }
}
