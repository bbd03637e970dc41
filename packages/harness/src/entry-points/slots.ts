/** Limits how many tasks run at once. Further tasks wait for a free slot. */
export class Slots {
  #free: number
  readonly #queue: (() => void)[] = []

  constructor(free: number) {
    this.#free = free
  }

  /** Runs a task when a slot is free. */
  async use<Result>(run: () => Promise<Result>): Promise<Result> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#queue.push(resolve))
    try {
      return await run()
    } finally {
      const next = this.#queue.shift()
      if (next) next()
      else this.#free++
    }
  }
}
