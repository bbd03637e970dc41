import type { EventPage, TurnEvent } from '@capstan/protocol'
import { pause } from './pause.ts'

/** Puts the events of one thread in order, from whichever connection they come. */
export interface OrderedEvents {
  /** The number of the newest event that was passed on. */
  readonly seen: () => number
  /** Takes events in any state: repeats are dropped, and a gap is read from the ledger before what follows it. */
  readonly accept: (events: readonly TurnEvent[]) => void
  readonly end: () => void
}

export interface OrderedEventsOptions {
  readonly threadId: string
  /** Events up to this number are known. */
  readonly after: number
  /** Gets every event once, in order, without a gap. */
  readonly onEvent: (event: TurnEvent) => void
  readonly readEvents: (threadId: string, after: number, signal: AbortSignal) => Promise<EventPage>
  /** The pause after a read that failed. */
  readonly retryMs: number
}

export function createOrderedEvents(options: OrderedEventsOptions): OrderedEvents {
  const { threadId, onEvent, readEvents, retryMs } = options
  const ended = new AbortController()
  let seen = options.after
  let early: readonly TurnEvent[] = []
  let isReading = false

  function accept(events: readonly TurnEvent[]): void {
    if (ended.signal.aborted) return
    const known = new Map<number, TurnEvent>()
    for (const event of [...early, ...events]) {
      if (event.threadId === threadId && event.seq > seen) known.set(event.seq, event)
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
      const page = await readEvents(threadId, seen, ended.signal).catch(() => undefined)
      if (page) accept(page.events)
      // Nothing gained: the server is away or behind. A reconnect may fill the gap meanwhile.
      if (seen === before) await pause(retryMs, ended.signal)
    }
    isReading = false
  }

  return { seen: () => seen, accept, end: () => ended.abort() }
}
