import type { IncomingMessage, Server as HttpServer } from 'node:http'
import type { ClientEvents, ServerEvents } from '@capstan/protocol'
import type { Socket } from 'socket.io'
import { Server } from 'socket.io'
import type { Auth, Caller } from '../auth/auth.ts'
import { identifyRequest } from '../auth/identify-request.ts'
import type { SeeRequest } from '../auth/client-address.ts'
import type { OwnOrigins } from '../auth/own-origin.ts'
import type { ServerLimits } from '../http/limits/server-limits.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import type { Assistant, Update } from '../sessions/assistant.ts'
import type { Page } from './page.ts'
import { createPage } from './page.ts'
import { createThreadChanges } from './thread-changes.ts'
import type { ThreadFeeds } from './thread-feeds.ts'
import type { Visitors } from './visitors.ts'

/** Large enough for a client, which only names threads. */
const MAX_MESSAGE_BYTES = 16 * 1024

export interface Sockets {
  /** Sends an update to every page of its user. */
  send(update: SentUpdate): void
  /** Has every page connect again, and read again what it shows. */
  reconnect(): void
  /** Tells every page that the server stops. */
  announceStop(): void
  close(): void
}

export interface SocketsOptions {
  readonly http: HttpServer
  readonly assistant: Assistant
  readonly auth: Auth
  readonly origins: OwnOrigins
  readonly seeRequest: SeeRequest
  readonly limits: ServerLimits
  readonly metrics: Metrics
  readonly feeds: ThreadFeeds
  readonly visitors: Visitors
  readonly port: () => number
  readonly isStopping: () => boolean
}

/**
 * The socket server. Every connection shows its cookie and its origin again. The library's own connection recovery is
 * off: it may skip those checks, and the ledger already serves every watcher.
 */
export function createSockets(options: SocketsOptions): Sockets {
  const { http, auth, origins, limits, metrics, visitors } = options
  const pages = new Map<string, Set<Page>>()
  const openings = options.assistant.limiters.buckets('socket-openings', limits.openings)
  const strangers = options.assistant.limiters.buckets('socket-strangers', limits.strangers)
  const io = new Server<ClientEvents, ServerEvents, Record<string, never>, { caller: Caller }>(http, {
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: 10_000,
    pingInterval: 20_000,
    pingTimeout: 20_000,
    allowRequest(request, decide) {
      void problemOf(request).then((problem) => {
        if (problem) metrics.countRefusal(`socket_${problem}`)
        decide(problem, problem === undefined)
      })
    },
  })

  const changes = createThreadChanges((userId, threads) =>
    io.to(channelOf(userId)).emit('threads-change', threads),
  )

  const identify = ({ headers }: IncomingMessage): Caller | undefined =>
    identifyRequest(auth, headers, options.port())

  /** Checked before the connection is set up. Refuses a cross-origin page with or without a cookie. */
  async function problemOf(request: IncomingMessage): Promise<string | undefined> {
    const { origin, authorization } = request.headers
    const header = (name: string): string | undefined => {
      const value = request.headers[name]
      return typeof value === 'string' ? value : undefined
    }
    const { address, host, protocol } = options.seeRequest({ peer: request.socket.remoteAddress, header })
    const isProgram = origin === undefined && authorization !== undefined
    const isOwn = isProgram
      ? origins.originOf(host, protocol) !== undefined
      : origins.isOwnPage({ host, protocol, origin, site: header('sec-fetch-site') })
    if (!isOwn) return 'forbidden'
    if (options.isStopping()) return 'unavailable'
    const known = identify(request)
    if (!known && (await strangers.take(address)) > 0) return 'rate_limited'
    if (!known) await auth.catchUp() // the browser may have logged in on another node a moment ago
    const caller = known ?? identify(request)
    if (!caller) return 'signed_out'
    return (await openings.take(caller.userId)) > 0 ? 'rate_limited' : undefined
  }

  // Checked again for each connection: one transport may carry several.
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
    const page = createPage(socket, options)
    const { userId } = socket.data.caller
    const own = pages.get(userId) ?? new Set()
    pages.set(userId, own.add(page))
    void socket.join(channelOf(userId))
    metrics.sockets.inc()
    socket.on('disconnect', () => {
      own.delete(page)
      if (own.size === 0 && pages.get(userId) === own) pages.delete(userId)
      metrics.sockets.dec()
      page.close()
    })
  })

  return {
    send(update) {
      if (update.type === 'turn-event') return // the feed sends those
      const own = pages.get(update.userId)
      if (!own) return
      for (const page of own) page.prepareFor(update)
      if (update.type === 'thread-change') return changes.add(update.userId, update.thread)
      if (update.type === 'thread-remove') changes.forget(update.userId, update.threadId)
      emitUpdate(io.to(channelOf(update.userId)), update) // serialised once for all of them
    },
    reconnect: () => io.sockets.sockets.forEach((socket) => socket.conn.close()),
    announceStop: () => void io.emit('server-stop'),
    close() {
      changes.close()
      io.disconnectSockets(true)
      io.engine.close()
    },
  }
}

/** Those that pages get. */
type SentUpdate = Exclude<Update, { readonly type: 'thread-advance' | 'updates-missed' }>
type OneUpdate = Exclude<SentUpdate, { readonly type: 'turn-event' | 'thread-change' }>
type Channel = Pick<Socket<ClientEvents, ServerEvents>, 'emit'>

function emitUpdate(channel: Channel, update: OneUpdate): void {
  switch (update.type) {
    case 'thread-remove':
      return void channel.emit('thread-remove', update.threadId)
    case 'approval-change':
      return void channel.emit('approval-change', update.approval)
    case 'connection-change':
      return void channel.emit('connection-change', update.connection)
    case 'toolkits-change':
      return void channel.emit('toolkits-change')
    case 'settings-change':
      return void channel.emit('settings-change')
    case 'jobs-change':
      return void channel.emit('jobs-change')
    case 'memory-change':
      return void channel.emit('memory-change')
  }
}

// With a space: socket.io also joins every socket to a channel named by the socket's id.
const channelOf = (userId: string): string => `user ${userId}`
