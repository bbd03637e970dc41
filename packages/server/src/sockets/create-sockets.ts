import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { ClientEvents, ServerEvents, ThreadId, WatchReply } from '@capstan/protocol'
import { Server } from 'socket.io'
import type { Socket } from 'socket.io'
import { z } from 'zod'
import type { Auth, Caller } from '../auth/auth.ts'
import { readLoginCookie } from '../auth/login-cookie.ts'
import type { OwnOrigins } from '../auth/own-origin.ts'
import { createRateLimit } from '../http/rate-limit.ts'
import type { ServerLimits } from '../limits.ts'
import type { Metrics } from '../observe/metrics.ts'
import type { Assistant, News } from '../sessions/assistant.ts'
import type { ThreadFeed } from './thread-feed.ts'
import type { ThreadFeeds } from './thread-feeds.ts'
import type { Visitors } from './visitors.ts'

/** What one client may send in one message: it only ever names a thread. */
const MAX_MESSAGE_BYTES = 16 * 1024
/** Packets that wait for a slow reader before we stop sending it events. */
const FULL_PACKETS = 4
/** And before it is cut off: it comes back and reads what it missed. */
const MAX_PACKETS = 2_000
/** What is said beyond the limit before the socket is closed. */
const MAX_EXCESS = 100

type Wire = Socket<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>

export interface Sockets {
  /** Tells the pages of a user. */
  tell(news: News): void
  tellStop(): void
  close(): void
}

export interface SocketsOptions {
  readonly http: HttpServer
  readonly assistant: Assistant
  readonly auth: Auth
  readonly origins: OwnOrigins
  readonly limits: ServerLimits
  readonly metrics: Metrics
  readonly feeds: ThreadFeeds
  readonly visitors: Visitors
  readonly port: () => number
  readonly isStopping: () => boolean
}

const watchSchema = z.strictObject({
  threadId: z.string().min(1).max(200),
  after: z.number().int().min(0).max(Number.MAX_SAFE_INTEGER),
})

/**
 * The socket. Every connection is a new one and shows its cookie and its origin again: the library's own recovery is
 * off, because it may skip that and knows less than the ledger, from which every watcher is served.
 */
export function createSockets(options: SocketsOptions): Sockets {
  const { http, auth, origins, limits, metrics, feeds, visitors } = options
  const pages = new Map<string, Set<Page>>()
  const openings = createRateLimit(limits.openings)
  const strangers = createRateLimit(limits.strangers)
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>(http, {
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    pingInterval: 20_000,
    pingTimeout: 20_000,
    allowRequest(request, decide) {
      const problem = problemOf(request)
      if (problem) metrics.countRefusal(`socket_${problem}`)
      decide(problem, problem === undefined)
    },
  })

  function identify({ headers }: IncomingMessage): Caller | undefined {
    const cookie = readLoginCookie(headers.cookie, options.port())
    const { authorization } = headers
    return auth.identify({
      ...(cookie === undefined ? undefined : { cookie }),
      ...(authorization === undefined ? undefined : { authorization }),
    })
  }

  /** Before anything is set up for it. A cross-origin page is turned away here, with or without a cookie. */
  function problemOf(request: IncomingMessage): string | undefined {
    const { host, origin, authorization } = request.headers
    const site = request.headers['sec-fetch-site']
    const isProgram = origin === undefined && authorization !== undefined
    const isOwn = isProgram
      ? origins.originOf(host) !== undefined
      : origins.isOwnPage({ host, origin, site: typeof site === 'string' ? site : undefined })
    if (!isOwn) return 'forbidden'
    if (options.isStopping()) return 'unavailable'
    const caller = identify(request)
    if (!caller) return strangers.take(request.socket.remoteAddress ?? '') > 0 ? 'rate_limited' : 'signed_out'
    return openings.take(caller.userId) > 0 ? 'rate_limited' : undefined
  }

  // Once more for each connection: one transport may carry several in its life.
  io.use((socket, next) => {
    const caller = identify(socket.request)
    if (!caller) return next(new Error('signed_out'))
    const left = visitors.admit({ caller, leave: () => socket.disconnect(true) })
    if (!left) {
      metrics.countRefusal('socket_count')
      return next(new Error('too_many'))
    }
    socket.conn.once('close', left)
    socket.once('disconnect', left)
    socket.data.caller = caller
    next()
  })

  io.on('connection', (socket) => {
    const page = createPage(socket, { ...options, metrics, feeds })
    const { userId } = socket.data.caller
    const own = pages.get(userId) ?? new Set()
    pages.set(userId, own.add(page))
    void socket.join(roomOf(userId))
    metrics.sockets.inc()
    socket.on('disconnect', () => {
      own.delete(page)
      if (own.size === 0 && pages.get(userId) === own) pages.delete(userId)
      metrics.sockets.dec()
      page.close()
    })
  })

  return {
    tell(news) {
      if (news.type === 'turn-event') return // their watchers have them from the feed
      const own = pages.get(news.userId)
      if (!own) return
      for (const page of own) page.prepareFor(news)
      const room = io.to(roomOf(news.userId)) // put into words once for all of them
      switch (news.type) {
        case 'thread-change':
          return void room.emit('thread-change', news.thread)
        case 'thread-remove':
          return void room.emit('thread-remove', news.threadId)
        case 'approval-change':
          return void room.emit('approval-change', news.approval)
        case 'connection-change':
          return void room.emit('connection-change', news.connection)
        case 'toolkits-change':
          return void room.emit('toolkits-change')
        case 'settings-change':
          return void room.emit('settings-change')
      }
    },
    tellStop: () => void io.emit('server-stop'),
    close() {
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

// Every socket is in a room that has its own id as a name.
const roomOf = (userId: string): string => `user ${userId}`

/** One page of a user: a socket and the threads it watches. */
interface Page {
  /** Something is about to be told to all pages. One that does not keep up is cut off; it comes back and reads again. */
  prepareFor(news: News): void
  close(): void
}

type PageOptions = Pick<SocketsOptions, 'assistant' | 'limits' | 'metrics' | 'feeds'>

function createPage(socket: Wire, { assistant, limits, metrics, feeds }: PageOptions): Page {
  const { userId } = socket.data.caller
  const watched = new Map<ThreadId, { feed?: ThreadFeed }>()
  const rate = createRateLimit(limits.socketEvents)
  let excess = 0

  /** Packets that were not handed to the wire yet, because it has not taken those before them. */
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
    const place: { feed?: ThreadFeed } = {}
    watched.set(threadId, place) // counts while we look
    const thread = await assistant.threadsOf(userId).get(threadId)
    const lastSeq = thread && (await assistant.store.ledger.lastSeq(threadId))
    if (lastSeq === undefined || watched.get(threadId) !== place) {
      if (watched.get(threadId) === place) watched.delete(threadId)
      return { ok: false, reason: 'unknown' }
    }
    // Who knows more than there is has seen a thread that was put back; it is told so by the number.
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
      onGone: () => watched.delete(threadId),
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
    prepareFor(news) {
      if (news.type === 'thread-remove') leave(news.threadId)
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
