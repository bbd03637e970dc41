import type { Ledger } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { ThreadFeed } from './thread-feed.ts'

const PAGE = 200

/** Reads what other nodes have stored once for all feeds of a thread that are up to date. */
export interface SharedReads {
  /** Another node has stored events up to this number. */
  advance(threadId: ThreadId, seq: number): void
}

export function createSharedReads(
  ledger: Pick<Ledger, 'readEvents'>,
  feedsOf: (threadId: ThreadId) => ReadonlySet<ThreadFeed>,
): SharedReads {
  /** The newest number that is known of each thread that is being read. */
  const reading = new Map<ThreadId, number>()

  /** Where the feed that is furthest behind goes on. Undefined when none is live. */
  function startOf(threadId: ThreadId): number | undefined {
    const places = [...feedsOf(threadId)].flatMap(({ liveAt }) => liveAt ?? [])
    return places.length > 0 ? Math.min(...places) : undefined
  }

  async function read(threadId: ThreadId): Promise<void> {
    for (;;) {
      const wanted = reading.get(threadId)!
      const from = startOf(threadId)
      if (from === undefined || from >= wanted) return
      const events = await ledger.readEvents(threadId, from, PAGE)
      for (const event of events) for (const feed of feedsOf(threadId)) feed.push(event)
      if (events.length > 0) continue
      // It should be there: each feed finds out by itself.
      for (const feed of feedsOf(threadId)) feed.advance(wanted)
      return
    }
  }

  return {
    advance(threadId, seq) {
      for (const feed of feedsOf(threadId)) if (feed.liveAt === undefined) feed.advance(seq)
      const known = reading.get(threadId)
      reading.set(threadId, Math.max(known ?? 0, seq))
      if (known !== undefined) return
      read(threadId)
        .catch(() => feedsOf(threadId).forEach((feed) => feed.advance(seq)))
        .finally(() => reading.delete(threadId))
    },
  }
}
