import type { RunId, TurnEvent, TurnOutcome } from '@capstan/protocol'

/** So many events wait for a slow reader before the turn is slowed down. */
const MAX_WAITING = 256

type Listener = (event: TurnEvent) => void | Promise<void>

/** Events for one reader, in order. A reader that falls behind slows the turn down; one that leaves does not stop it. */
class EventBuffer {
  readonly #waiting: TurnEvent[] = []
  #isOver = false
  #arrived = Promise.withResolvers<void>()
  #read = Promise.withResolvers<void>()

  readonly push: Listener = (event) => {
    if (this.#isOver) return
    this.#waiting.push(event)
    this.#arrived.resolve()
    if (this.#waiting.length >= MAX_WAITING) return this.#read.promise
  }

  /** No event follows. */
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

/** Hands the events of a thread to its own watcher and to everybody who reads a stream of it. */
export class EventTaps {
  readonly #watch: Listener
  readonly #taps = new Set<Listener>()

  constructor(watch: Listener) {
    this.#watch = watch
  }

  readonly report: Listener = (event) => {
    const slow = this.#watch(event)
    if (this.#taps.size === 0) return slow
    const waits = [slow, ...[...this.#taps].map((tap) => tap(event))].filter((one) => one !== undefined)
    if (waits.length > 0) return Promise.all(waits).then(() => {})
  }

  /** The result ends it. */
  add(tap: Listener): () => void {
    this.#taps.add(tap)
    return () => void this.#taps.delete(tap)
  }
}

/** A turn that has begun: its id, and its end. */
export interface BegunTurn {
  readonly runId: RunId | undefined
  readonly outcome: Promise<TurnOutcome>
}

/**
 * The events of one turn, from its start to its end, sub-agents included. The turn begins with the first read. Throws
 * what keeps the turn from beginning or from having an outcome.
 */
export async function* streamTurn(
  subscribe: (listener: Listener) => () => void,
  begin: () => Promise<BegunTurn>,
): AsyncGenerator<TurnEvent, void> {
  const buffer = new EventBuffer()
  const unsubscribe = subscribe(buffer.push)
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
