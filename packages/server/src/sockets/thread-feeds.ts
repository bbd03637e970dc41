import type { Ledger } from '@capstan/harness/stores'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import type { Outlet, ThreadFeed } from './thread-feed.ts'
import { createSharedReads } from './shared-reads.ts'
import { createThreadFeed } from './thread-feed.ts'

const NOBODY: ReadonlySet<ThreadFeed> = new Set()

/** A feed, for whoever reads it. */
export type OpenFeed = Pick<ThreadFeed, 'resume' | 'close'>

/** All feeds of all threads, over sockets and streams. */
export interface ThreadFeeds {
  open(watch: {
    readonly threadId: ThreadId
    readonly after: number
    readonly outlet: Outlet
    readonly onGone: (error?: unknown) => void
  }): OpenFeed
  /** Passes a stored event to every feed of its thread. */
  push(event: TurnEvent): void
  /** Another node has stored events of this thread, up to this number. */
  advance(threadId: ThreadId, seq: number): void
  /** The threads that somebody watches. */
  watched(): readonly ThreadId[]
  /** Events of other nodes may have been missed. */
  readAgain(): void
}

export function createThreadFeeds(ledger: Pick<Ledger, 'readEvents'>): ThreadFeeds {
  const watched = new Map<ThreadId, Set<ThreadFeed>>()
  const reads = createSharedReads(ledger, (threadId) => watched.get(threadId) ?? NOBODY)

  return {
    open({ threadId, after, outlet, onGone }) {
      const feeds = watched.get(threadId) ?? new Set()
      watched.set(threadId, feeds)
      const leave = (): void => {
        feeds.delete(feed)
        if (feeds.size === 0 && watched.get(threadId) === feeds) watched.delete(threadId)
      }
      const feed: ThreadFeed = createThreadFeed({
        ledger,
        threadId,
        after,
        outlet,
        onGone(error) {
          leave()
          onGone(error)
        },
      })
      feeds.add(feed)
      return {
        resume: () => feed.resume(),
        close() {
          leave()
          feed.close()
        },
      }
    },
    push(event) {
      for (const feed of watched.get(event.threadId) ?? []) feed.push(event)
    },
    advance: (threadId, seq) => reads.advance(threadId, seq),
    watched: () => [...watched.keys()],
    readAgain() {
      for (const feeds of watched.values()) for (const feed of feeds) feed.advance(0)
    },
  }
}
