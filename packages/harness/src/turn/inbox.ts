/** What became of a message that was sent while a turn was running. */
export type Delivery =
  | { readonly delivered: true; readonly iteration: number }
  | { readonly delivered: false; readonly reason: string }

export interface Posted {
  readonly text: string
  /** By which it is kept until it is delivered. */
  readonly id?: string
}

interface Waiting extends Posted {
  readonly settle: (delivery: Delivery) => void
}

/** Messages for a turn that is running. Each sender learns whether the model saw the message. */
export class Inbox {
  #waiting: Waiting[] = []
  #closed: string | undefined

  post(text: string, id?: string): Promise<Delivery> {
    const closed = this.#closed
    if (closed !== undefined) return Promise.resolve({ delivered: false, reason: closed })
    return new Promise((settle) => this.#waiting.push({ text, id, settle }))
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  has(id: string): boolean {
    return this.#waiting.some((waiting) => waiting.id === id)
  }

  /** Takes what is waiting; the turn shows it to the model in this iteration. */
  drain(iteration: number): readonly Posted[] {
    if (this.#waiting.length === 0) return NOTHING
    const waiting = this.#waiting
    this.#waiting = []
    for (const { settle } of waiting) settle({ delivered: true, iteration })
    return waiting
  }

  /** The turn is over: what still waits, or comes later, is refused with this reason. */
  close(reason: string): void {
    this.#closed = reason
    for (const { settle } of this.#waiting) settle({ delivered: false, reason })
    this.#waiting = []
  }
}

const NOTHING: readonly Posted[] = []
