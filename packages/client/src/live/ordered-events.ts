import type { EventPage, TurnEvent } from '@capstan/protocol'

export interface ThreadWatch {
  /** The number of the newest event that was handed on. */
  readonly seen: () => number
  /** What came in, in whatever state: repeats are dropped, gaps are read from the ledger before anything after them. */
  readonly accept: (events: readonly TurnEvent[]) => void
  readonly end: () => void
}

export interface ThreadWatchOptions {
  readonly threadId: string
  readonly after: number
  /** Hears every event once, in order, without a gap. */
  readonly onEvents: (events: readonly TurnEvent[]) => void
  readonly readEvents: (threadId: string, after: number, signal: AbortSignal) => Promise<EventPage>
  /** How long to wait after a read that failed. */
  readonly retryMs?: number
}

export function createThreadWatch(options: ThreadWatchOptions): ThreadWatch {
  const { threadId, onEvents, readEvents, retryMs = 1000 } = options
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
    if (next.length > 0) {
      seen += next.length
      onEvents(next)
    }
    if (early.length > 0 && !isReading) void fill()
  }

  async function fill(): Promise<void> {
    isReading = true
    while (early.length > 0 && !ended.signal.aborted) {
      const before = seen
      const page = await readEvents(threadId, seen, ended.signal).catch(() => undefined)
      if (page) accept(page.events)
      // Nothing gained: the server is away or behind. What it sends after a reconnect may fill the gap meanwhile.
      if (seen === before) await wait(retryMs, ended.signal)
    }
    isReading = false
  }

  return { seen: () => seen, accept, end: () => ended.abort() }
}

function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms)
    signal.addEventListener('abort', () => {
      clearTimeout(timer)
      resolve()
    })
  })
}
