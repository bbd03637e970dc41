import type { RunId } from '@capstan/protocol'

/**
 * What a person said no to in this turn. Shared by a run and everything below it, so that a refusal cannot be
 * asked again under another name: an equivalent call is refused at once, and after the second refusal of a tool
 * so is every call of it.
 */
export class Refusals {
  readonly #calls = new Set<string>()
  readonly #byTool = new Map<string, number>()
  readonly #parked = new Map<RunId, unknown>()
  #last: Promise<unknown> = Promise.resolve()

  /** Runs what may end in a refusal after everything that came before: a no also answers those who wait behind it. */
  oneAtATime<Result>(ask: () => Promise<Result>): Promise<Result> {
    const answer = this.#last.then(ask)
    this.#last = answer.catch(() => {})
    return answer
  }

  /** The run waits for a person now. A run waits for one answer at a time: its other calls ask when it goes on. */
  noteParked(runId: RunId, error: unknown): void {
    this.#parked.set(runId, error)
  }

  throwIfParked(runId: RunId): void {
    if (this.#parked.has(runId)) throw this.#parked.get(runId)
  }

  add(tool: string, signature: string): void {
    this.#calls.add(signature)
    this.#byTool.set(tool, (this.#byTool.get(tool) ?? 0) + 1)
  }

  covers(tool: string, signature: string): boolean {
    return this.#calls.has(signature) || (this.#byTool.get(tool) ?? 0) >= 2
  }
}
