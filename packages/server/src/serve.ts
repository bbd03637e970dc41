import { createHash } from 'node:crypto'
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { createAdaptorServer } from '@hono/node-server'
import type { ThreadId } from '@capstan/protocol'
import { VERSION } from '@capstan/protocol'
import type { Logger } from 'pino'
import type { Auth } from './auth/auth.ts'
import type { InstallSecret } from './auth/install-secret.ts'
import { createSeeRequest } from './auth/client-address.ts'
import { createOwnOrigins } from './auth/own-origin.ts'
import { createApp } from './http/create-app.ts'
import { createInFlight } from './http/limits/in-flight.ts'
import type { Services } from './http/route.ts'
import { createStaticFiles } from './http/static/static-files.ts'
import type { ServerLimits } from './http/limits/server-limits.ts'
import { LIMITS } from './http/limits/server-limits.ts'
import { SILENT } from './observe/logger.ts'
import type { Assistant, Update } from './sessions/assistant.ts'
import { createSockets } from './sockets/create-sockets.ts'
import { lookForMissed } from './sockets/slow-look.ts'
import { streamThread } from './sockets/stream-thread.ts'
import { createThreadFeeds } from './sockets/thread-feeds.ts'
import { createVisitors } from './sockets/visitors.ts'

/** How the server listens and what it serves. */
export interface ServerOptions {
  readonly assistant: Assistant
  readonly auth: Auth
  /** Default `127.0.0.1`: reachable from this machine only. */
  readonly host?: string
  /** 0 chooses a free port. */
  readonly port: number
  /** The folder of the built web app. Without it, no web app is served. */
  readonly webRoot?: string
  /** Default: no log. */
  readonly logger?: Logger
  readonly limits?: Partial<ServerLimits>
  /** Further addresses of this server, such as that of a proxy: `https://capstan.example.org`. */
  readonly allowedOrigins?: readonly string[]
  /**
   * Addresses and ranges of proxies in front of this server. Only their `x-forwarded-…` headers count; without this, the
   * client is whoever connects.
   */
  readonly trustedProxies?: readonly string[]
  /** Told to everybody who asks, so only where nobody but this machine reaches the server. */
  readonly loginCommand?: string
  /** For tests: throws when an answer does not match its schema. */
  readonly checkAnswers?: boolean
}

/** A server that listens. */
export interface RunningServer {
  readonly url: string
  /** For links to somebody else: the first configured address, else `url`. */
  readonly linkUrl: string
  readonly port: number
  /** Announces the stop, finishes requests, and gives turns the grace time. Unfinished turns resume at the next start. */
  stop(options?: { readonly graceMs?: number }): Promise<void>
}

const LOOPBACK = '127.0.0.1'
/** How long requests in flight may take during a stop. */
const DRAIN_MS = 5_000
/** How long the last bytes may take to be sent. */
const LAST_EVENTS_MS = 50

/** Starts the server. Rejects when the port is taken or the host is not an address of this machine. */
export async function startServer(options: ServerOptions): Promise<RunningServer> {
  const { assistant, auth, host = LOOPBACK, webRoot, logger = SILENT } = options
  const limits = { ...LIMITS, ...options.limits }
  const origins = createOwnOrigins({
    host,
    ...(options.allowedOrigins ? { allowedOrigins: options.allowedOrigins } : undefined),
  })
  const { metrics } = assistant
  const feeds = createThreadFeeds(assistant.store.ledger)
  const visitors = createVisitors(auth, limits.streamsPerUser)
  const inFlight = createInFlight()
  let stopping: Promise<void> | undefined
  let port = options.port
  /** Names the login cookie: one for all nodes of an installation, whichever port each has. */
  const cookiePort = (): number => (assistant.shared ? toNumber(assistant.shared.installSecret) : port)
  const seeRequest = createSeeRequest(options.trustedProxies)
  const shared = { assistant, origins, seeRequest, limits, metrics, isStopping: () => stopping !== undefined }

  const services: Services = {
    auth,
    version: VERSION,
    ...(options.loginCommand !== undefined && { loginCommand: options.loginCommand }),
    port: cookiePort,
    toLinkOrigin: (seen) => origins.toLinkOrigin(seen),
    streamThread: async (caller, threadId, after) =>
      streamThread({ feeds, visitors, metrics, caller, threadId: threadId as ThreadId, after }),
  }
  const app = createApp({
    ...shared,
    services,
    logger,
    inFlight,
    checkAnswers: options.checkAnswers ?? false,
    ...(webRoot === undefined ? undefined : { files: createStaticFiles(webRoot) }),
  })
  const http = createAdaptorServer({
    fetch: app.fetch,
    createServer,
    serverOptions: { requestTimeout: 60_000, headersTimeout: 15_000, keepAliveTimeout: 10_000 },
  }) as HttpServer
  const sockets = createSockets({ ...shared, http, auth, feeds, visitors, port: cookiePort })

  function onUpdate(update: Update): void {
    if (update.type === 'turn-event') feeds.push(update.event)
    else if (update.type === 'thread-advance') return feeds.advance(update.threadId, update.seq)
    else if (update.type === 'updates-missed') {
      feeds.readAgain()
      return sockets.reconnect()
    }
    metrics.countUpdate(update)
    sockets.send(update)
  }
  const unsubscribe = assistant.onUpdate(onUpdate)
  const stopLooking = assistant.shared ? lookForMissed(assistant.store.ledger, feeds) : () => {}

  try {
    http.listen(options.port, host)
    await once(http, 'listening')
  } catch (error) {
    unsubscribe()
    stopLooking()
    visitors.close()
    sockets.close()
    throw error
  }
  port = (http.address() as AddressInfo).port
  logger.info({ port, host }, 'listening')

  const url = `http://${toUrlHost(host)}:${port}`

  return {
    url,
    linkUrl: origins.toLinkOrigin(url),
    port,
    stop: (grace) => (stopping ??= stop(grace)),
  }

  async function stop({ graceMs }: { readonly graceMs?: number } = {}): Promise<void> {
    logger.info('stopping')
    sockets.announceStop()
    http.close() // no new connections; open sockets and streams still deliver the end of the turns
    http.closeIdleConnections()
    await inFlight.settled(DRAIN_MS)
    await assistant.stop(graceMs === undefined ? {} : { graceMs })
    await setTimeout(LAST_EVENTS_MS)
    unsubscribe()
    stopLooking()
    visitors.close()
    sockets.close()
    await setTimeout(LAST_EVENTS_MS) // lets streams end
    http.closeAllConnections()
    logger.info('stopped')
  }
}

const toNumber = ({ browserKey }: InstallSecret): number =>
  createHash('sha256').update(browserKey).digest().readUInt32BE()

function toUrlHost(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost'
  return host.includes(':') ? `[${host}]` : host
}
