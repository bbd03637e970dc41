import type { ClientEvents, ServerEvents, ThreadSummary, TurnEvent } from '@capstan/protocol'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'

/** What one listener has received. */
interface Received {
  readonly turns: number
  readonly events: number
  /** Events that were missing, repeated or out of order. */
  readonly faults: number
  /** For live events, the time from the event to its arrival. */
  readonly delays: readonly number[]
}

/** One thread with a socket that watches it. */
export interface Listener {
  /** Sends messages one after the other, each after the answer to the last, until `end`. */
  sendUntil(end: number): Promise<void>
  /** Cuts the connection. The socket reconnects by itself and fetches what it missed. */
  cut(): void
  close(): Received
}

/** Creates a thread and watches it over a socket, as a page does. */
export async function createListener(url: string, cookie: string): Promise<Listener> {
  const headers = { cookie, origin: url }
  const post = async <Answer>(path: string, body: unknown): Promise<Answer> => {
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }
    const answer = await fetch(`${url}${path}`, init)
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
    return (await answer.json()) as Answer
  }
  const { id: threadId } = await post<ThreadSummary>('/api/threads', {})
  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    transports: ['websocket'],
    extraHeaders: headers,
    reconnectionDelay: 20,
    reconnectionDelayMax: 200,
    forceNew: true,
  })
  const delays: number[] = []
  let events = 0
  let faults = 0
  let turns = 0
  let sent = 0
  let last = 0
  let ended = Promise.withResolvers<void>()
  /** The first live event; earlier ones were read from the ledger. */
  let liveFrom = 0

  const watch = (): void => {
    socket.emit('thread-watch', { threadId, after: last }, (reply) => {
      if (reply.ok) liveFrom = reply.lastSeq + 1
      else faults++
    })
  }
  socket.on('connect', watch)
  socket.on('turn-events', (batch: readonly TurnEvent[]) => {
    const now = Date.now()
    for (const event of batch) {
      if (event.seq !== last + 1) faults++
      last = event.seq
      events++
      if (event.seq >= liveFrom) delays.push(now - event.at)
      if (event.type === 'turn-end') {
        turns++
        ended.resolve()
      }
    }
  })
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve)
    socket.once('connect_error', reject)
  })

  return {
    async sendUntil(end) {
      while (Date.now() < end) {
        const n = sent++
        ended = Promise.withResolvers()
        await post(`/api/threads/${threadId}/messages`, { text: `Message ${n}`, messageId: `m-${n}` })
        await ended.promise
      }
    },
    cut: () => void socket.io.engine?.close(),
    close() {
      socket.close()
      return { turns, events, faults, delays }
    },
  }
}
