import type { ClientEvents, ServerEvents, ThreadId, WatchReply } from '@capstan/protocol'
import type { Socket } from 'socket.io'
import { z } from 'zod'
import type { Caller } from '../auth/auth.ts'
import { createRateLimit } from '../http/limits/rate-limit.ts'
import type { ServerLimits } from '../http/limits/server-limits.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { Assistant, Update } from '../sessions/assistant.ts'
import type { OpenFeed, ThreadFeeds } from './thread-feeds.ts'

/** A reader with this many waiting packets gets no further events. */
const FULL_PACKETS = 4
/** A reader with this many is disconnected. It reconnects and reads what it missed. */
const MAX_PACKETS = 2_000
/** Events over the rate limit before the socket is closed. */
const MAX_EXCESS = 100

type PageSocket = Socket<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>

const watchSchema = z.strictObject({
  threadId: z.string().min(1).max(200),
  after: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})

/** One page of a user: a socket and the threads it watches. */
export interface Page {
  /** Called before an update is sent to all pages of the user. Disconnects a page that does not keep up. */
  prepareFor(update: Update): void
  close(): void
}

interface PageOptions {
  readonly assistant: Assistant
  readonly limits: ServerLimits
  readonly metrics: Metrics
  readonly feeds: ThreadFeeds
}

export function createPage(socket: PageSocket, { assistant, limits, metrics, feeds }: PageOptions): Page {
  const { userId } = socket.data.caller
  const watched = new Map<ThreadId, { feed?: OpenFeed }>()
  const rate = createRateLimit(limits.socketEvents)
  let excess = 0

  /** Packets that the transport has not accepted yet. */
  let waiting = 0
  const onPacket = (): void => void waiting++
  const onFlush = (): void => {
    waiting = 0
  }
  const resumeAll = (): void => {
    for (const { feed } of watched.values()) feed?.resume()
  }
  socket.conn.on('packetCreate', onPacket).on('flush', onFlush).on('drain', resumeAll)

  socket.use(([, ...args], next) => {
    if (rate.take('') === 0) return next()
    metrics.countRefusal('socket_events')
    const answer = args.at(-1)
    if (typeof answer === 'function') answer({ ok: false, reason: 'too_many' } satisfies WatchReply)
    if (++excess > MAX_EXCESS) socket.disconnect(true)
  })

  async function watch(threadId: ThreadId, after: number): Promise<WatchReply> {
    if (!watched.has(threadId) && watched.size >= limits.threadsPerSocket)
      return { ok: false, reason: 'too_many' }
    leave(threadId)
    const place: { feed?: OpenFeed } = {}
    watched.set(threadId, place) // counts towards the limit while the thread is looked up
    const thread = await assistant.threadsOf(userId).get(threadId)
    const lastSeq = thread && (await assistant.store.ledger.lastSeq(threadId))
    const isCurrent = watched.get(threadId) === place
    if (lastSeq === undefined) {
      if (isCurrent) watched.delete(threadId)
      return { ok: false, reason: 'unknown' }
    }
    // The page has asked again or left meanwhile. The thread exists all the same.
    if (!isCurrent) return { ok: true, lastSeq }
    // A client that knows more than there is saw a thread before a restore; `lastSeq` shows it.
    place.feed = feeds.open({
      threadId,
      after: Math.min(after, lastSeq),
      outlet: {
        isFull: () => waiting >= FULL_PACKETS,
        send(events, isLive) {
          metrics.countSent(events, isLive)
          socket.emit('turn-events', events)
        },
      },
      onGone(error) {
        watched.delete(threadId)
        // The thread is there, but could not be read: the page connects again and asks again.
        if (error !== undefined) socket.conn.close()
      },
    })
    return { ok: true, lastSeq }
  }

  function leave(threadId: ThreadId): void {
    watched.get(threadId)?.feed?.close()
    watched.delete(threadId)
  }

  socket.on('thread-watch', (wanted, answer) => {
    const reply = typeof answer === 'function' ? answer : () => {}
    const checked = watchSchema.safeParse(wanted)
    if (!checked.success) return reply({ ok: false, reason: 'invalid' })
    watch(checked.data.threadId as ThreadId, checked.data.after).then(reply, () =>
      reply({ ok: false, reason: 'unknown' }),
    )
  })
  socket.on('thread-leave', (threadId) => {
    if (typeof threadId === 'string') leave(threadId)
  })
  socket.on('typing-start', () => void assistant.integrations.prewarm(userId))

  return {
    prepareFor(update) {
      if (update.type === 'thread-remove') leave(update.threadId)
      if (waiting <= MAX_PACKETS) return
      metrics.countRefusal('socket_slow')
      socket.disconnect(true)
    },
    close() {
      socket.conn.off('packetCreate', onPacket).off('flush', onFlush).off('drain', resumeAll)
      for (const threadId of watched.keys()) leave(threadId)
    },
  }
}
