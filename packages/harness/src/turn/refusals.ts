import type { RunId } from '@capstan/protocol'

/**
 * The calls a person refused in this turn. Shared by a run and all runs below it: an equivalent call is refused without
 * asking, and after the second refusal of a tool so is every call of that tool.
 */
export class Refusals {
  readonly #calls = new Set<string>()
  readonly #byTool = new Map<string, number>()
  readonly #parked = new Map<RunId, unknown>()
  #last: Promise<unknown> = Promise.resolve()

  /** Runs approval requests one after the other, so that a refusal also answers equivalent requests behind it. */
  oneAtATime<Result>(ask: () => Promise<Result>): Promise<Result> {
    const answer = this.#last.then(ask)
    this.#last = answer.catch(() => {})
    return answer
  }

  /** The run is parked for a person. It waits for one answer at a time: its other calls ask after it resumes. */
  noteParked(runId: RunId, error: unknown): void {
    this.#parked.set(runId, error)
  }

  /** The run goes on, while other runs of its turn may still be parked. */
  noteResumed(runId: RunId): void {
    this.#parked.delete(runId)
  }

  throwIfParked(runId: RunId): void {
    if (this.#parked.has(runId)) throw this.#parked.get(runId)
  }

  add(tool: string, signature: string): void {
    this.#calls.add(signature)
    this.#byTool.set(tool, (this.#byTool.get(tool) ?? 0) + 1)
  }

  get isEmpty(): boolean {
    return this.#calls.size === 0
  }

  covers(tool: string, signature: string): boolean {
    return this.#calls.has(signature) || (this.#byTool.get(tool) ?? 0) >= 2
  }
}
