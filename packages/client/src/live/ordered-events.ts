import type { EventPage, TurnEvent } from '@capstan/protocol'
import { createBackoff, pause } from './pause.ts'

/** Puts the events of one thread in order, from whichever connection they come. */
export interface OrderedEvents {
  /** The number of the newest event that was passed on. */
  readonly seen: () => number
  /**
   * Takes events in any state: repeats and what is no event are dropped, and a gap is read from the ledger before what
   * follows it. Never throws.
   */
  readonly accept: (events: readonly TurnEvent[]) => void
  readonly end: () => void
}

export interface OrderedEventsOptions {
  readonly threadId: string
  /** Events up to this number are known. */
  readonly after: number
  /** Gets every event once, in order, without a gap. Must not throw. */
  readonly onEvent: (event: TurnEvent) => void
  readonly readEvents: (threadId: string, after: number, signal: AbortSignal) => Promise<EventPage>
  /** The first pause after a read that failed; it doubles up to `maxRetryMs`. */
  readonly retryMs: number
  readonly maxRetryMs: number
}

export function createOrderedEvents(options: OrderedEventsOptions): OrderedEvents {
  const { threadId, onEvent, readEvents } = options
  const ended = new AbortController()
  const backoff = createBackoff(options.retryMs, options.maxRetryMs)
  let seen = options.after
  let early: readonly TurnEvent[] = []
  let isReading = false

  function accept(events: readonly TurnEvent[]): void {
    if (ended.signal.aborted || !Array.isArray(events)) return
    const known = new Map<number, TurnEvent>()
    for (const event of [...early, ...events]) {
      if (isEventOf(threadId, event) && event.seq > seen) known.set(event.seq, event)
    }
    const next: TurnEvent[] = []
    for (let event = known.get(seen + 1); event; event = known.get(event.seq + 1)) {
      next.push(event)
      known.delete(event.seq)
    }
    early = [...known.values()]
    seen += next.length
    for (const event of next) if (!ended.signal.aborted) onEvent(event)
    if (early.length > 0 && !isReading) void fill()
  }

  async function fill(): Promise<void> {
    isReading = true
    while (early.length > 0 && !ended.signal.aborted) {
      const before = seen
      accept(await read())
      // Nothing gained: the server is away, behind or wrong. A reconnect may fill the gap meanwhile.
      if (seen === before) await pause(backoff.nextMs(), ended.signal)
      else backoff.reset()
    }
    isReading = false
  }

  /** The events that follow. None when the read failed. */
  async function read(): Promise<readonly TurnEvent[]> {
    try {
      return (await readEvents(threadId, seen, ended.signal)).events
    } catch {
      return []
    }
  }

  return { seen: () => seen, accept, end: () => ended.abort() }
}

/** What comes over a connection may be anything. */
function isEventOf(threadId: string, given: unknown): given is TurnEvent {
  if (typeof given !== 'object' || given === null) return false
  const event: Partial<TurnEvent> = given
  return event.threadId === threadId && Number.isSafeInteger(event.seq)
}
