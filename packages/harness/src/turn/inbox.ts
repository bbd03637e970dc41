/** What became of a message that was sent while a turn was running. */
export type Delivery =
  | { readonly delivered: true; readonly iteration: number }
  | { readonly delivered: false; readonly reason: string }

interface Waiting {
  readonly text: string
  readonly settle: (delivery: Delivery) => void
}

/** Messages for a turn that is running. Whoever posts learns whether the model got to see it. */
export class Inbox {
  #waiting: Waiting[] = []
  #closed: string | undefined

  post(text: string): Promise<Delivery> {
    const closed = this.#closed
    if (closed !== undefined) return Promise.resolve({ delivered: false, reason: closed })
    return new Promise((settle) => this.#waiting.push({ text, settle }))
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Takes what is waiting; the turn shows it to the model in this iteration. */
  drain(iteration: number): readonly string[] {
    if (this.#waiting.length === 0) return NOTHING
    const waiting = this.#waiting
    this.#waiting = []
    for (const { settle } of waiting) settle({ delivered: true, iteration })
    return waiting.map(({ text }) => text)
  }

  /** The turn is over: whoever still waits, or comes later, is told why it was not delivered. */
  close(reason: string): void {
    this.#closed = reason
    for (const { settle } of this.#waiting) settle({ delivered: false, reason })
    this.#waiting = []
  }
}

const NOTHING: readonly string[] = []
