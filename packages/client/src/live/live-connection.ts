import type { ClientEvents, ServerEvents, ThreadId, TurnEvent, WatchReply } from '@capstan/protocol'
import type { ReportProblem } from './guard-listener.ts'
import { guardListener } from './guard-listener.ts'
import { createBackoff } from './pause.ts'
import type { StreamOptions } from './stream-thread.ts'
import { streamThread } from './stream-thread.ts'
import type { ThreadWatch, WatchAccess, WatchOptions } from './thread-watch.ts'
import { createThreadWatch } from './thread-watch.ts'

/** `connecting`: for the first time. `offline`: the connection is being restored. `signed-out`: nothing is tried. */
export type ConnectionState = 'connecting' | 'online' | 'offline' | 'signed-out'

/** What goes to every connection of the user. */
export type UpdateEvents = Omit<ServerEvents, 'turn-events'>

/** Receives what the server sends. Commands go through the `ApiClient`. */
export interface LiveConnection {
  /** How the socket stands. A thread may be live over server-sent events while this is `offline`. */
  state(): ConnectionState
  onStateChange(listener: (state: ConnectionState) => void): () => void
  /**
   * Delivers every event of a thread after a number, once and in order, across reconnects and restarts of the server.
   * The result stops it.
   */
  watchThread(threadId: string, options: WatchOptions): () => void
  /** The same as an async iterator. */
  streamThread(threadId: string, options?: StreamOptions): AsyncGenerator<TurnEvent, void>
  /** Listens to updates. They come over the socket alone. */
  on<Name extends keyof UpdateEvents>(name: Name, listener: UpdateEvents[Name]): () => void
  /** Reports that somebody began to write, so that the server can prepare a turn. */
  startTyping(): void
  /** Tries now instead of at the next attempt, also after a sign-out. */
  reconnect(): void
  /** Stops until `reconnect`: an answer over HTTP said that the login is over. */
  reportSignedOut(): void
  /** Stops every watch and lets go of the socket. */
  close(): void
}

interface SocketEvents extends ServerEvents {
  connect: () => void
  disconnect: (reason: string) => void
  connect_error: (error: Error) => void
}

/** The part of a socket.io socket that is used. */
export interface RawSocket {
  readonly connected: boolean
  /** Whether it reconnects by itself. It does not after the server has closed it. */
  readonly active: boolean
  on<Name extends keyof SocketEvents>(name: Name, listener: SocketEvents[Name]): unknown
  off<Name extends keyof SocketEvents>(name: Name, listener: SocketEvents[Name]): unknown
  emit<Name extends keyof ClientEvents>(name: Name, ...args: Parameters<ClientEvents[Name]>): unknown
  connect(): unknown
  disconnect(): unknown
}

export interface LiveConnectionOptions extends Omit<WatchAccess, 'onProblem' | 'retryMs' | 'maxRetryMs'> {
  readonly socket: RawSocket
  /** Asked when the socket was refused: whether HTTP works, and whether the login holds. */
  readonly checkLogin: () => Promise<'ok' | 'signed-out' | 'unreachable'>
  /** Gets what a listener threw. Default: nobody. */
  readonly onProblem?: ReportProblem
  /** The first pause before another attempt. */
  readonly retryMs?: number
  readonly maxRetryMs?: number
}

/** Refusals in a row, with HTTP working, after which threads are followed by server-sent events. */
const MAX_REFUSALS = 2

export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { onProblem = () => {}, retryMs = 1000, maxRetryMs = 10_000 } = options
  const access = { ...options, onProblem, retryMs, maxRetryMs }
  const connection = new SocketConnection(access)
  const closing = new AbortController()
  const watchThread = (threadId: string, watch: WatchOptions): (() => void) =>
    connection.addWatch(createThreadWatch(threadId, watch, access))

  return {
    state: () => connection.state,
    onStateChange: (listener) => connection.addStateListener(listener),
    watchThread,
    streamThread(threadId, { after, signal } = {}) {
      const stop = signal ? AbortSignal.any([signal, closing.signal]) : closing.signal
      return streamThread((watch) => watchThread(threadId, watch), {
        ...(after === undefined ? undefined : { after }),
        signal: stop,
      })
    },
    on(name, listener) {
      const guarded = guardListener(listener as (...args: unknown[]) => void, onProblem)
      options.socket.on(name, guarded)
      return () => options.socket.off(name, guarded)
    },
    startTyping() {
      if (options.socket.connected) options.socket.emit('typing-start')
    },
    reconnect: () => connection.reconnect(),
    reportSignedOut: () => connection.signOut(),
    close() {
      closing.abort()
      connection.close()
    },
  }
}

/** The socket, how it stands, and the watches it feeds. */
class SocketConnection {
  state: ConnectionState = 'connecting'
  readonly #socket: RawSocket
  readonly #checkLogin: LiveConnectionOptions['checkLogin']
  readonly #onProblem: ReportProblem
  readonly #backoff
  readonly #watches = new Set<ThreadWatch>()
  readonly #listeners = new Set<(state: ConnectionState) => void>()
  #retry: ReturnType<typeof setTimeout> | undefined
  #refusals = 0
  /** The socket cannot be used: watches have streams of their own until it can. */
  #isFallback = false
  #isClosed = false

  constructor(options: LiveConnectionOptions & WatchAccess) {
    this.#socket = options.socket
    this.#checkLogin = options.checkLogin
    this.#onProblem = options.onProblem
    this.#backoff = createBackoff(options.retryMs, options.maxRetryMs)
    this.#socket.on('connect', this.#onConnect)
    this.#socket.on('disconnect', this.#onDisconnect)
    this.#socket.on('connect_error', this.#onConnectError)
    this.#socket.on('turn-events', this.#onTurnEvents)
    if (this.#socket.connected) this.#onConnect()
    else this.#socket.connect()
  }

  addStateListener(listener: (state: ConnectionState) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  addWatch(watch: ThreadWatch): () => void {
    this.#watches.add(watch)
    if (this.#isFallback) watch.startStream()
    else this.#request(watch)
    return () => {
      watch.end()
      if (this.#watches.delete(watch)) this.#leave(watch.threadId)
    }
  }

  reconnect(): void {
    if (this.#socket.connected || this.#isClosed) return
    clearTimeout(this.#retry)
    if (this.state === 'signed-out') this.#become('offline')
    // A socket that waits for its next attempt ignores `connect`, so it starts over.
    this.#socket.disconnect()
    this.#socket.connect()
  }

  signOut(): void {
    clearTimeout(this.#retry)
    this.#become('signed-out')
    for (const watch of this.#watches) {
      watch.stopStream()
      watch.setState('signed-out')
    }
    this.#socket.disconnect()
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#retry)
    for (const watch of this.#watches) watch.end()
    this.#watches.clear()
    this.#socket.off('connect', this.#onConnect)
    this.#socket.off('disconnect', this.#onDisconnect)
    this.#socket.off('connect_error', this.#onConnectError)
    this.#socket.off('turn-events', this.#onTurnEvents)
    this.#socket.disconnect()
  }

  readonly #onConnect = (): void => {
    clearTimeout(this.#retry)
    this.#backoff.reset()
    this.#refusals = 0
    this.#isFallback = false
    this.#become('online')
    for (const watch of this.#watches) this.#request(watch)
  }

  readonly #onDisconnect = (): void => {
    if (this.state === 'signed-out') return
    this.#becomeOffline()
    // Closed by the server: it stops, or it has ended the login.
    if (!this.#socket.active) void this.#afterRefusal()
  }

  readonly #onConnectError = (): void => {
    if (this.state === 'signed-out') return
    this.#refusals++
    this.#becomeOffline()
    void this.#afterRefusal()
  }

  readonly #onTurnEvents = (events: readonly TurnEvent[]): void => {
    for (const watch of this.#watches) watch.accept(events)
  }

  /** Asks the socket for a watch. Nothing is queued while it is away: a connect asks for all of them. */
  #request(watch: ThreadWatch): void {
    if (!this.#socket.connected) return
    const request = { threadId: watch.threadId as ThreadId, after: watch.seen() }
    this.#socket.emit('thread-watch', request, (reply: WatchReply | null | undefined) => {
      if (reply && this.#watches.has(watch)) this.#onWatchReply(watch, reply)
    })
  }

  #onWatchReply(watch: ThreadWatch, reply: WatchReply): void {
    if (reply.ok) {
      watch.stopStream()
      watch.setState('live')
    } else if (reply.reason === 'too_many') watch.startStream()
    else watch.setState('unknown')
  }

  #leave(threadId: string): void {
    const isWatched = [...this.#watches].some((other) => other.threadId === threadId)
    if (!isWatched && this.#socket.connected) this.#socket.emit('thread-leave', threadId as ThreadId)
  }

  async #afterRefusal(): Promise<void> {
    // Streams notice by themselves when the login ends.
    const login = this.#isFallback ? 'ok' : await this.#checkLogin()
    if (this.#isClosed || this.#socket.connected || this.state === 'signed-out') return
    if (login === 'signed-out') return this.signOut()
    if (login === 'ok' && this.#refusals >= MAX_REFUSALS) this.#fallBack()
    if (this.#socket.active) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => this.#socket.connect(), this.#backoff.nextMs())
  }

  #fallBack(): void {
    this.#isFallback = true
    for (const watch of this.#watches) watch.startStream()
  }

  #becomeOffline(): void {
    this.#become('offline')
    for (const watch of this.#watches) if (!watch.isStreaming()) watch.setState('offline')
  }

  #become(next: ConnectionState): void {
    if (this.state === next || this.#isClosed) return
    this.state = next
    for (const listener of this.#listeners) guardListener(listener, this.#onProblem)(next)
  }
}
