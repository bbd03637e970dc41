import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Ledger } from '@capstan/harness/stores'
import type { Journal } from './journal.ts'

interface Follower {
  last: number
  /** Fetched by number; the live copy may still arrive. */
  readonly fetched: Map<number, string>
  /** Live events that arrived while missed ones are fetched. */
  held: TurnEvent[] | undefined
  connecting: Promise<void> | undefined
  /** Number of events it will still miss. */
  away: number
  received: number
}

/**
 * Follows threads as a browser does: it knows the number of the last event, receives live events, and after every
 * interruption fetches what it missed. An event out of order goes into the journal as a gap or a repeat.
 */
export class EventClient {
  readonly #journal: Journal
  readonly #ledger: Pick<Ledger, 'readEvents'>
  readonly #awayEvery: number
  readonly #followers = new Map<ThreadId, Follower>()

  constructor(journal: Journal, ledger: Pick<Ledger, 'readEvents'>, awayEvery: number) {
    this.#journal = journal
    this.#ledger = ledger
    this.#awayEvery = awayEvery
    for (const line of journal.lines) {
      if (line.type === 'event') this.#follow(line.event.threadId).last = line.event.seq
      if (line.type === 'loss')
        for (const [id, last] of Object.entries(line.lastSeqs)) this.#follow(id as ThreadId).last = last
    }
  }

  #follow(threadId: ThreadId): Follower {
    let follower = this.#followers.get(threadId)
    if (!follower) {
      follower = { last: 0, fetched: new Map(), held: undefined, connecting: undefined, away: 0, received: 0 }
      this.#followers.set(threadId, follower)
    }
    return follower
  }

  /** Fetches missed events; live events wait meanwhile. Concurrent calls share one fetch. */
  connect(threadId: ThreadId): Promise<void> {
    const follower = this.#follow(threadId)
    follower.connecting ??= this.#catchUp(threadId, follower)
    return follower.connecting
  }

  async #catchUp(threadId: ThreadId, follower: Follower): Promise<void> {
    const held: TurnEvent[] = []
    follower.held = held
    follower.away = 0
    for (;;) {
      const page = await this.#ledger.readEvents(threadId, follower.last, PAGE)
      for (const event of page) {
        if (this.#take(follower, event)) follower.fetched.set(event.seq, toJson(event))
      }
      if (page.length === 0) break
    }
    follower.held = undefined
    follower.connecting = undefined
    for (const event of held) this.receive(event)
  }

  /** Takes a live event. */
  receive(event: TurnEvent): void {
    const follower = this.#follow(event.threadId)
    if (follower.held) return void follower.held.push(event)
    if (follower.away > 0) {
      if (--follower.away === 0) void this.connect(event.threadId)
      return
    }
    if (event.seq <= follower.last && follower.fetched.get(event.seq) === toJson(event)) {
      follower.fetched.delete(event.seq)
      return
    }
    this.#take(follower, event)
    if (this.#awayEvery > 0 && ++follower.received % this.#awayEvery === 0) follower.away = this.#awayEvery
  }

  #take(follower: Follower, event: TurnEvent): boolean {
    const { last } = follower
    const isNext = event.seq === last + 1
    if (!isNext) this.#journal.add({ type: event.seq > last ? 'gap' : 'repeat', event, last })
    if (event.seq <= last) return false
    this.#journal.add({ type: 'event', event })
    follower.last = event.seq
    return true
  }
}

const PAGE = 25

/** JSON with sorted keys, because a store may change their order. */
export function toJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  )
}
