import type { RunId, TurnEvent } from '@capstan/protocol'

/** The number of unread events at which a slow reader slows the turn down. */
const MAX_WAITING = 256

type Listener = (event: TurnEvent) => void | Promise<void>

/** A reader of a thread's events. */
interface EventTap {
  readonly push: Listener
  /** Stops slowing the turn down: it is about to end. */
  release(): void
}

/** Buffers events for one reader, in order. A slow reader slows the turn down. A reader that leaves does not stop it. */
class EventBuffer implements EventTap {
  readonly #waiting: TurnEvent[] = []
  #isOver = false
  #isReleased = false
  #arrived = Promise.withResolvers<void>()
  #read = Promise.withResolvers<void>()

  readonly push: Listener = (event) => {
    if (this.#isOver) return
    this.#waiting.push(event)
    this.#arrived.resolve()
    if (this.#waiting.length >= MAX_WAITING && !this.#isReleased) return this.#read.promise
  }

  release(): void {
    this.#isReleased = true
    this.#read.resolve()
  }

  /** Ends the stream after the buffered events. */
  end(): void {
    this.#isOver = true
    this.#arrived.resolve()
    this.#read.resolve()
  }

  async *read(): AsyncGenerator<TurnEvent, void> {
    for (;;) {
      for (let next = this.#waiting.shift(); next; next = this.#waiting.shift()) {
        if (this.#waiting.length < MAX_WAITING / 2) {
          this.#read.resolve()
          this.#read = Promise.withResolvers()
        }
        yield next
      }
      if (this.#isOver) return
      this.#arrived = Promise.withResolvers()
      await this.#arrived.promise
    }
  }
}

/** Passes the events of a thread to its watcher and to all readers of its stream. */
export class EventTaps {
  readonly #watch: Listener
  readonly #taps = new Set<EventTap>()

  constructor(watch: Listener) {
    this.#watch = watch
  }

  readonly report: Listener = (event) => {
    const slow = this.#watch(event)
    if (this.#taps.size === 0) return slow
    const waits = [slow, ...[...this.#taps].map((tap) => tap.push(event))].filter((one) => one !== undefined)
    if (waits.length > 0) return Promise.all(waits).then(() => {})
  }

  /** Adds a reader. Call the returned function to remove it. */
  add(tap: EventTap): () => void {
    this.#taps.add(tap)
    return () => void this.#taps.delete(tap)
  }

  /** No reader slows the turn down from now on. */
  release(): void {
    for (const tap of this.#taps) tap.release()
  }
}

/** A turn that has started, and the promise of its outcome. */
export interface BegunTurn {
  readonly runId: RunId | undefined
  readonly outcome: Promise<unknown>
}

/**
 * Yields the events of one turn, from its start to its end, sub-agents included. The turn starts with the first read.
 * Throws the error that kept the turn from starting or from having an outcome.
 */
export async function* streamTurn(
  subscribe: (tap: EventTap) => () => void,
  begin: () => Promise<BegunTurn>,
): AsyncGenerator<TurnEvent, void> {
  const buffer = new EventBuffer()
  const unsubscribe = subscribe(buffer)
  try {
    const { runId, outcome } = await begin()
    const settled = outcome.finally(() => buffer.end())
    settled.catch(() => {})
    let hasBegun = runId === undefined
    for await (const event of buffer.read()) {
      hasBegun ||= event.runId === runId
      if (hasBegun) yield event
    }
    await settled
  } finally {
    unsubscribe()
    buffer.end()
  }
}
