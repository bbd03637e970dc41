import type { ClientEvents, ServerEvents, ThreadId, ThreadSummary, TurnEvent } from '@capstan/protocol'
import { setTimeout as pause } from 'node:timers/promises'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'

/** What one listener has received. */
interface Received {
  readonly turns: number
  readonly events: number
  /** Events that were missing before another one. */
  readonly gaps: number
  /** Events that came twice or out of order. */
  readonly repeats: number
  /** For live events, the time from the event to its arrival. */
  readonly delays: readonly number[]
}

/** A socket that watches a thread. */
export interface Listener {
  /** Sends messages one after the other, each after the answer to the last, until `end`. */
  sendUntil(end: number): Promise<void>
  /** Cuts the connection. The socket reconnects by itself and fetches what it missed. */
  cut(): void
  /** Settles when it has seen every event of the thread; after some seconds, what is missing counts as gaps. */
  catchUp(): Promise<void>
  close(): Received
}

interface ListenerOptions {
  readonly threadId: ThreadId
  readonly cookie: string
  /** Where its socket is. */
  readonly url: string
  /** Where its messages go: with several nodes, not where its socket is. */
  readonly sendUrl: string
}

const CATCH_UP_MS = 10_000

async function ask<Answer>(url: string, cookie: string, path: string, body?: unknown): Promise<Answer> {
  const answer = await fetch(`${url}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { cookie, origin: url, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as Answer
}

/** Creates a thread to watch. */
export const createThread = async (url: string, cookie: string): Promise<ThreadId> =>
  (await ask<ThreadSummary>(url, cookie, '/api/threads', {})).id

/** Watches a thread over a socket, as a page does. */
export async function createListener({ url, sendUrl, cookie, threadId }: ListenerOptions): Promise<Listener> {
  const socket: Socket<ServerEvents, ClientEvents> = io(url, {
    transports: ['websocket'],
    extraHeaders: { cookie, origin: url },
    reconnectionDelay: 20,
    reconnectionDelayMax: 200,
    forceNew: true,
  })
  const delays: number[] = []
  const counts = { events: 0, gaps: 0, repeats: 0, turns: 0 }
  let sent = 0
  let last = 0
  let ended = Promise.withResolvers<void>()
  /** The first live event; earlier ones were read from the ledger. */
  let liveFrom = 0

  const watch = (): void => {
    socket.emit('thread-watch', { threadId, after: last }, (reply) => {
      if (reply.ok) liveFrom = reply.lastSeq + 1
      else counts.gaps++
    })
  }
  socket.on('connect', watch)
  socket.on('turn-events', (batch: readonly TurnEvent[]) => {
    const now = Date.now()
    for (const event of batch) {
      if (event.seq > last + 1) counts.gaps += event.seq - last - 1
      if (event.seq <= last) counts.repeats++
      last = Math.max(last, event.seq)
      counts.events++
      if (event.seq >= liveFrom) delays.push(now - event.at)
      if (event.type === 'turn-end') {
        counts.turns++
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
        const path = `/api/threads/${threadId}/messages`
        await ask(sendUrl, cookie, path, { text: `Message ${n}`, messageId: `m-${n}` })
        await ended.promise
      }
    },
    cut: () => void socket.io.engine?.close(),
    async catchUp() {
      const { lastSeq } = await ask<{ lastSeq: number }>(sendUrl, cookie, `/api/threads/${threadId}`)
      const isThere = (): boolean => last >= lastSeq
      for (const end = Date.now() + CATCH_UP_MS; !isThere() && Date.now() < end;) await pause(20)
      counts.gaps += Math.max(0, lastSeq - last)
    },
    close() {
      socket.close()
      return { ...counts, delays }
    },
  }
}
