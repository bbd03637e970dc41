import type { ClientEvents, ServerEvents, ThreadSummary, TurnEvent } from '@capstan/protocol'
import type { Socket } from 'socket.io-client'
import { io } from 'socket.io-client'

/** What one listener has seen. */
interface Heard {
  readonly turns: number
  readonly events: number
  /** Events that were missing, doubled or out of order. */
  readonly faults: number
  /** From the moment an event happened to the moment it was here, of those that came live. */
  readonly delays: readonly number[]
}

export interface Listener {
  /** Sends a message, waits for its answer, sends the next. */
  talkUntil(end: number): Promise<void>
  /** Cuts the wire; it comes back by itself and reads what it missed. */
  cut(): void
  close(): Heard
}

/** One thread, one socket that watches it, as a page would. */
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
  let last = 0
  let ended = Promise.withResolvers<void>()
  /** Until then what comes is read from the ledger, and old. */
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
    async talkUntil(end) {
      for (let n = 0; Date.now() < end; n++) {
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
