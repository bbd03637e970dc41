/** Thrown when a check would take too long. */
export class TooMuchWork extends Error {
  override readonly name = 'TooMuchWork'
}

/**
 * Limits the work of one check. Code that reads third-party input spends a step for each thing it looks at, so the time
 * of a check has a bound whatever the input is.
 */
export class WorkBudget {
  #left: number

  constructor(steps: number) {
    this.#left = steps
  }

  /** Throws `TooMuchWork` when nothing is left. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new TooMuchWork('checking it would take too long')
  }
}
