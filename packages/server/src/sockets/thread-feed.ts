import { setImmediate as nextTick } from 'node:timers/promises'
import type { Ledger } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'

const PAGE = 200
const MAX_BATCH_CHARS = 256 * 1024
/** Above this, reading the events again is cheaper than keeping them. */
const MAX_HELD = 500

/** Where the events go. */
export interface Outlet {
  /** True while the reader is too slow. Call `resume` when it accepts events again. */
  isFull(): boolean
  /** In order, without gaps and repeats. `isLive`: the events have just happened. */
  send(events: readonly TurnEvent[], isLive: boolean): void
}

/** One watcher of one thread. */
export interface ThreadFeed {
  /** The last event that it has, while it gets events as they happen. */
  readonly liveAt: number | undefined
  /** An event was stored. */
  push(event: TurnEvent): void
  /** Another node has stored events up to this number. 0: it may have. */
  advance(seq: number): void
  /** The reader has caught up. */
  resume(): void
  close(): void
}

/**
 * Sends the stored events after a number, then live ones. It only ever sends the successor of the last sent event; what it
 * could not send in time it reads from the ledger, where every event is before it is announced. A slow reader therefore
 * costs no memory. `onGone` is called when the thread cannot be read any more.
 */
export function createThreadFeed(options: {
  readonly ledger: Pick<Ledger, 'readEvents'>
  readonly threadId: ThreadId
  readonly after: number
  readonly outlet: Outlet
  readonly onGone: (error?: unknown) => void
}): ThreadFeed {
  const { ledger, threadId, outlet, onGone } = options
  let sent = options.after
  let announced = 0
  let mode: 'reading' | 'live' | 'behind' | 'closed' = 'reading'
  let held: TurnEvent[] = []
  let isDue = false
  /** Something may have been stored since the last read began. */
  let isStale = false

  const deliver = (events: readonly TurnEvent[], isLive: boolean): boolean =>
    sendAll(events, isLive, outlet, (seq) => (sent = seq))

  /** `isLive`: another node has just stored what is read. */
  async function read(isLive = false): Promise<void> {
    mode = 'reading'
    held = []
    try {
      for (;;) {
        const expected = announced
        isStale = false
        const events = await ledger.readEvents(threadId, sent, PAGE)
        if (mode !== 'reading') return
        if (!deliver(events, isLive)) return fallBehind()
        if (events.length === 0 && announced <= sent && !isStale) return goLive()
        // An event announced before the read must be in it; a later one is in the next read.
        if (events.length === 0 && expected > sent) return gone()
        await nextTick() // lets other requests run
        if (mode !== 'reading') return
      }
    } catch (error) {
      gone(error)
    }
  }

  // A function, because the compiler does not know that `mode` changes during an `await`.
  const goLive = (): void => void (mode = 'live')

  function fallBehind(): void {
    mode = 'behind'
    held = []
  }

  function gone(error?: unknown): void {
    if (mode === 'closed') return
    close()
    onGone(error)
  }

  function flush(): void {
    isDue = false
    if (mode !== 'live' || held.length === 0) return
    const events = held
    held = []
    if (!deliver(events, true)) fallBehind()
  }

  /** Sends the events of one tick together. */
  function schedule(): void {
    if (!isDue) setImmediate(flush)
    isDue = true
  }

  const close = (): void => {
    mode = 'closed'
    held = []
  }

  void read()

  return {
    get liveAt() {
      return mode === 'live' ? (held.at(-1)?.seq ?? sent) : undefined
    },
    push(event) {
      announced = Math.max(announced, event.seq)
      if (mode !== 'live') return
      const last = held.at(-1)?.seq ?? sent
      if (event.seq <= last) return
      if (event.seq !== last + 1 || held.length >= MAX_HELD) return void read()
      held.push(event)
      schedule()
    },
    advance(seq) {
      announced = Math.max(announced, seq)
      isStale = true
      if (mode === 'live' && (seq === 0 || seq > (held.at(-1)?.seq ?? sent))) void read(seq > 0)
    },
    resume() {
      if (mode === 'behind') void read()
    },
    close,
  }
}

/** False when the outlet is full: the rest is read again. */
function sendAll(
  events: readonly TurnEvent[],
  isLive: boolean,
  outlet: Outlet,
  onSent: (seq: number) => void,
): boolean {
  for (const batch of toBatches(events)) {
    if (outlet.isFull()) return false
    onSent(batch.at(-1)!.seq)
    outlet.send(batch, isLive)
  }
  return true
}

/** In order, each of about `MAX_BATCH_CHARS` at most. */
function* toBatches(events: readonly TurnEvent[]): Generator<readonly TurnEvent[]> {
  for (let from = 0; from < events.length;) {
    let to = from
    for (let chars = 0; to < events.length && (to === from || chars < MAX_BATCH_CHARS); to++)
      chars += lengthOf(events[to]!)
    yield events.slice(from, to)
    from = to
  }
}

/** An estimate: one of these fields is the long one. */
function lengthOf(event: TurnEvent): number {
  if ('delta' in event) return 200 + event.delta.length
  if ('output' in event) return 400 + event.output.length
  if ('text' in event) return 300 + event.text.length
  if ('outcome' in event) return 400 + event.outcome.text.length
  if ('arguments' in event) return 400 + JSON.stringify(event.arguments ?? null).length
  return 400
}
