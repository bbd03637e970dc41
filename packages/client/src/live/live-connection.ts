import type {
  ClientEvents,
  EventPage,
  ServerEvents,
  ThreadId,
  TurnEvent,
  WatchReply,
} from '@capstan/protocol'
import { createThreadWatch } from './ordered-events.ts'
import type { ThreadWatch } from './ordered-events.ts'

/** `connecting`: for the first time. `offline`: it was lost, and is being looked for. `signed-out`: nobody looks. */
export type ConnectionState = 'connecting' | 'online' | 'offline' | 'signed-out'

/** What goes to every page of the user. */
export type UpdateEvents = Omit<ServerEvents, 'turn-events'>

interface WatchOptions {
  /** The server would not show it; nothing more comes. */
  readonly onRefuse?: (reason: Extract<WatchReply, { readonly ok: false }>['reason']) => void
}

/** Hears the server. Whatever changes something goes through the `ApiClient`. */
export interface LiveConnection {
  state(): ConnectionState
  onStateChange(listener: (state: ConnectionState) => void): () => void
  /** Every event after this number, once and in order, across reconnects. The result stops it. */
  watchThread(
    threadId: string,
    after: number,
    onEvents: (events: readonly TurnEvent[]) => void,
    options?: WatchOptions,
  ): () => void
  on<Name extends keyof UpdateEvents>(name: Name, listener: UpdateEvents[Name]): () => void
  /** Somebody began to write. */
  startTyping(): void
  /** Tries now rather than at the next attempt; also after a sign-out, for somebody who signed in elsewhere. */
  reconnect(): void
  /** An answer over HTTP said that the login is over. */
  reportSignedOut(): void
  close(): void
}

type Listener = (...args: never[]) => void

/** The part of a socket.io socket that is used. */
export interface RawSocket {
  readonly connected: boolean
  /** It goes on trying by itself. */
  readonly active: boolean
  on(name: string, listener: Listener): unknown
  off(name: string, listener: Listener): unknown
  emit<Name extends keyof ClientEvents>(name: Name, ...args: Parameters<ClientEvents[Name]>): unknown
  connect(): unknown
  disconnect(): unknown
}

export interface LiveConnectionOptions {
  readonly socket: RawSocket
  readonly readEvents: (threadId: string, after: number, signal: AbortSignal) => Promise<EventPage>
  /** Asked when the server would not let us in: whether the login is over. */
  readonly isSignedOut: () => Promise<boolean>
  readonly retryMs?: number
}

export function createLiveConnection(options: LiveConnectionOptions): LiveConnection {
  const { socket, readEvents, isSignedOut, retryMs = 1000 } = options
  const stateListeners = new Set<(state: ConnectionState) => void>()
  const watches = new Map<ThreadWatch, { readonly threadId: string; readonly options: WatchOptions }>()
  let state: ConnectionState = 'connecting'
  let retry: ReturnType<typeof setTimeout> | undefined
  let isClosed = false

  function become(next: ConnectionState): void {
    if (state === next || isClosed) return
    state = next
    for (const listener of stateListeners) listener(next)
  }

  function ask(watch: ThreadWatch): void {
    const watched = watches.get(watch)
    // While it is away nothing is queued: the connect asks for every watch with the number it has then.
    if (!watched || !socket.connected) return
    const request = { threadId: watched.threadId as ThreadId, after: watch.seen() }
    socket.emit('thread-watch', request, (reply) => {
      if (!reply.ok && watches.has(watch)) watched.options.onRefuse?.(reply.reason)
    })
  }

  async function lookAfterRefusal(): Promise<void> {
    const signedOut = await isSignedOut()
    if (isClosed || socket.connected) return
    if (signedOut) signOut()
    else if (!socket.active) {
      clearTimeout(retry)
      retry = setTimeout(() => socket.connect(), retryMs)
    }
  }

  function signOut(): void {
    clearTimeout(retry)
    become('signed-out')
    socket.disconnect()
  }

  const onConnect = (): void => {
    become('online')
    for (const watch of watches.keys()) ask(watch)
  }
  const onDisconnect = (): void => {
    if (state === 'signed-out') return
    become('offline')
    if (!socket.active) void lookAfterRefusal()
  }
  const onConnectError = (): void => {
    if (state === 'signed-out') return
    become('offline')
    void lookAfterRefusal()
  }
  const onTurnEvents = (events: readonly TurnEvent[]): void => {
    for (const watch of watches.keys()) watch.accept(events)
  }
  socket.on('connect', onConnect)
  socket.on('disconnect', onDisconnect)
  socket.on('connect_error', onConnectError)
  socket.on('turn-events', onTurnEvents)
  if (socket.connected) onConnect()
  else socket.connect()

  return {
    state: () => state,
    onStateChange(listener) {
      stateListeners.add(listener)
      return () => stateListeners.delete(listener)
    },
    watchThread(threadId, after, onEvents, watchOptions = {}) {
      const watch = createThreadWatch({ threadId, after, onEvents, readEvents, retryMs })
      watches.set(watch, { threadId, options: watchOptions })
      ask(watch)
      return () => {
        watch.end()
        if (!watches.delete(watch)) return
        const isWatchedStill = [...watches.values()].some((other) => other.threadId === threadId)
        if (!isWatchedStill && socket.connected) socket.emit('thread-leave', threadId as ThreadId)
      }
    },
    on(name, listener) {
      socket.on(name, listener)
      return () => socket.off(name, listener)
    },
    startTyping() {
      if (socket.connected) socket.emit('typing-start')
    },
    reconnect() {
      if (socket.connected || isClosed) return
      clearTimeout(retry)
      if (state === 'signed-out') become('offline')
      // A socket that waits for its next attempt ignores `connect`: it begins anew.
      socket.disconnect()
      socket.connect()
    },
    reportSignedOut: signOut,
    close() {
      isClosed = true
      clearTimeout(retry)
      for (const watch of watches.keys()) watch.end()
      watches.clear()
      socket.off('connect', onConnect)
      socket.off('disconnect', onDisconnect)
      socket.off('connect_error', onConnectError)
      socket.off('turn-events', onTurnEvents)
      socket.disconnect()
    },
  }
}
