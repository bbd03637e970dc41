import type { ClientEvents, ServerEvents, ThreadId, TurnEvent } from '@capstan/protocol'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'
import type { Journal } from '../journal.ts'
import type { Door } from './door.ts'
import { PROXY_HEADERS } from './door.ts'

/** Watches one thread by a socket to some node. When that is gone it goes to another one, and says what it has seen. */
export interface Follower {
  /** The number of the last event. */
  readonly last: () => number
  /** The node that it is connected to. */
  readonly node: () => string | undefined
  /** Leaves its node. */
  move(): void
  close(): void
}

interface FollowerOptions {
  readonly threadId: string
  readonly door: Door
  readonly journal: Journal
  readonly onEvent: (event: TurnEvent) => void
}

const RETRY_MS = 60
/** A socket that is not answered for so long is at a node that does not work. */
const PATIENCE_MS = 2_500

export function followThread({ threadId, door, journal, onEvent }: FollowerOptions): Follower {
  let last = 0
  let isClosed = false
  let nodeId: string | undefined
  let socket: Socket<ServerEvents, ClientEvents> | undefined
  let retry: NodeJS.Timeout | undefined

  function accept(event: TurnEvent): void {
    if (event.seq !== last + 1) journal.add({ type: event.seq > last ? 'gap' : 'repeat', event, last })
    if (event.seq <= last) return
    last = event.seq
    journal.add({ type: 'event', event })
    onEvent(event)
  }

  function leave(): void {
    socket?.removeAllListeners()
    socket?.disconnect()
    socket = undefined
    clearTimeout(retry)
    if (!isClosed) retry = setTimeout(connect, RETRY_MS)
  }

  function connect(): void {
    const node = door.pick()
    if (!node) return leave()
    nodeId = node.id
    journal.add({ type: 'watch', threadId, node: node.id, at: Date.now() })
    const own: Socket<ServerEvents, ClientEvents> = io(node.url, {
      transports: ['websocket'],
      extraHeaders: { ...PROXY_HEADERS, authorization: `Bearer ${node.token}` },
      reconnection: false,
      forceNew: true,
      timeout: PATIENCE_MS,
    })
    socket = own
    own.on('connect', () => {
      own
        .timeout(PATIENCE_MS)
        .emit('thread-watch', { threadId: threadId as ThreadId, after: last }, (error, reply) => {
          if (socket === own && (error || !reply.ok)) leave()
        })
    })
    own.on('turn-events', (events) => {
      if (socket === own) for (const event of events) accept(event)
    })
    own.on('disconnect', () => socket === own && leave())
    own.on('connect_error', () => socket === own && leave())
  }

  connect()
  return {
    last: () => last,
    node: () => nodeId,
    move: leave,
    close() {
      isClosed = true
      leave()
    },
  }
}
