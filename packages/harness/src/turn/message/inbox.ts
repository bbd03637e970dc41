/** Whether a message to a running turn was delivered. */
export type Delivery =
  | { readonly delivered: true; readonly iteration: number }
  | { readonly delivered: false; readonly reason: string }

/** A message that waits in the inbox. */
export interface Posted {
  readonly text: string
  /** Its id in the stored queue. */
  readonly id?: string
}

interface Waiting extends Posted {
  readonly settle: (delivery: Delivery) => void
}

/** Messages to a running turn. Each sender learns whether the message was delivered. */
export class Inbox {
  #waiting: Waiting[] = []
  #closed: string | undefined
  #arrival: PromiseWithResolvers<void> | undefined

  post(text: string, id?: string): Promise<Delivery> {
    const closed = this.#closed
    if (closed !== undefined) return Promise.resolve({ delivered: false, reason: closed })
    this.#arrival?.resolve()
    this.#arrival = undefined
    return new Promise((settle) => this.#waiting.push({ text, id, settle }))
  }

  /** Settles when a message is waiting. */
  arrival(): Promise<void> {
    if (!this.isEmpty) return Promise.resolve()
    this.#arrival ??= Promise.withResolvers()
    return this.#arrival.promise
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0
  }

  /** Removes and returns the waiting messages; the turn shows them to the model in this iteration. */
  drain(iteration: number): readonly Posted[] {
    if (this.#waiting.length === 0) return NOTHING
    const waiting = this.#waiting
    this.#waiting = []
    for (const { settle } of waiting) settle({ delivered: true, iteration })
    return waiting
  }

  /** The turn is over: waiting and later messages are refused with this reason. */
  close(reason: string): void {
    this.#closed = reason
    for (const { settle } of this.#waiting) settle({ delivered: false, reason })
    this.#waiting = []
  }
}

const NOTHING: readonly Posted[] = []
