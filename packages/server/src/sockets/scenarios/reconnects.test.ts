import { setTimeout as pause } from 'node:timers/promises'
import { finish, handMadeModel, text } from '@capstan/harness/testing'
import type { ThreadId, ThreadSummary, TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client } from '../../http/test-server.fixture.ts'
import { connected, startTestServer } from '../../http/test-server.fixture.ts'

const RECONNECTS = 1000
const LANES = 20

/** Deterministic for a seed. */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32
    return state / 2 ** 32
  }
}

/** Streams forty words, four milliseconds apart. */
const chatty = handMadeModel(async function* () {
  for (let word = 0; word < 40; word++) {
    yield text(`word ${word} `)
    await pause(4)
  }
  yield finish
})

/** What one watcher of a thread received, over all its sockets and streams. */
interface Notebook {
  readonly events: TurnEvent[]
  faults: number
}

function note(notebook: Notebook, events: readonly TurnEvent[]): void {
  for (const event of events) {
    if (event.seq !== (notebook.events.at(-1)?.seq ?? 0) + 1) notebook.faults++
    else notebook.events.push(event)
  }
}

async function watchSocket(client: Client, threadId: ThreadId, notebook: Notebook, ms: number, how: string) {
  const socket = client.open({ transports: [how] })
  socket.on('turn-events', (events) => note(notebook, events))
  if ((await connected(socket)) !== 'connected') throw new Error('refused')
  const reply = await socket.emitWithAck('thread-watch', {
    threadId,
    after: notebook.events.at(-1)?.seq ?? 0,
  })
  if (!reply.ok) throw new Error(reply.reason)
  await pause(ms)
  socket.off('turn-events')
  // Half of the sockets close cleanly, the others drop the connection.
  if (ms % 2 === 0) socket.close()
  else socket.io.engine.close()
}

async function watchStream(client: Client, threadId: ThreadId, notebook: Notebook, ms: number) {
  const last = notebook.events.at(-1)?.seq ?? 0
  const isHeader = ms % 2 === 0
  const gone = new AbortController()
  const answer = await client.request(`/api/threads/${threadId}/stream?after=${isHeader ? 0 : last}`, {
    signal: gone.signal,
    headers: isHeader ? { 'last-event-id': String(last) } : {},
  })
  if (!answer.ok) throw new Error(`refused: ${answer.status}`)
  const timer = setTimeout(() => gone.abort(), ms)
  let rest = ''
  try {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream())) {
      const parts = (rest + chunk).split('\n\n')
      rest = parts.pop()!
      for (const part of parts) {
        const data = /^data: (.*)$/m.exec(part)?.[1]
        if (data === undefined) continue
        const event = JSON.parse(data) as TurnEvent
        if (!part.startsWith(`id: ${event.seq}\n`)) notebook.faults++
        note(notebook, [event])
      }
    }
  } catch (error) {
    if (!gone.signal.aborted) throw error
  } finally {
    clearTimeout(timer)
  }
}

describe('a thousand reconnects at random points', () => {
  it('deliver every event once and in order, and are refused after the login is revoked', async () => {
    const seed = Number(process.env['CAPSTAN_SEED'] ?? Date.now() % 100_000)
    const random = createRandom(seed)
    const server = await startTestServer({
      model: chatty,
      limits: {
        openings: { burst: 5000, perSecond: 1000 },
        requests: { burst: 5000, perSecond: 1000 },
        messages: { burst: 500, perSecond: 100 },
      },
    })
    const client = await server.logIn()
    const threads = await Promise.all(
      Array.from({ length: 5 }, () => client.json<ThreadSummary>('POST', '/api/threads', {})),
    )
    const talk = { isOver: false }
    const talking = threads.map(async ({ id }) => {
      const session = await server.assistant.threadsOf('local').open(id)
      while (!talk.isOver) await session.send('Go on.')
    })
    let left = RECONNECTS
    const notebooks = Array.from({ length: LANES }, (_, lane) => ({
      threadId: threads[lane % threads.length]!.id,
      events: [] as TurnEvent[],
      faults: 0,
    }))
    await Promise.all(
      notebooks.map(async (notebook) => {
        while (left-- > 0) {
          const ms = Math.floor(random() * 60)
          const how = random()
          if (how < 0.45) await watchSocket(client, notebook.threadId, notebook, ms, 'websocket')
          else if (how < 0.55) await watchSocket(client, notebook.threadId, notebook, ms, 'polling')
          else await watchStream(client, notebook.threadId, notebook, ms)
        }
      }),
    )
    talk.isOver = true
    await Promise.all(talking)
    const { ledger } = server.assistant.store
    for (const notebook of notebooks) {
      // Once more, up to the newest event.
      const last = await ledger.lastSeq(notebook.threadId)
      while ((notebook.events.at(-1)?.seq ?? 0) < last)
        await watchStream(client, notebook.threadId, notebook, 500)
      expect(notebook.faults, `seed ${seed}`).toBe(0)
      expect(notebook.events, `seed ${seed}`).toEqual(await ledger.readEvents(notebook.threadId, 0))
    }
    const socket = client.open()
    await connected(socket)
    const cut = new Promise((resolve) => socket.once('disconnect', resolve))
    const stream = await client.request(`/api/threads/${threads[0]!.id}/stream`)
    await client.json('POST', '/api/logout')
    await cut
    await stream.text() // ends
    expect(await connected(client.open())).not.toBe('connected')
    expect(await connected(client.open({ transports: ['polling'] }))).not.toBe('connected')
    expect((await client.request(`/api/threads/${threads[0]!.id}/stream`)).status).toBe(401)
    const authorization = `Bearer ${server.auth.token}`
    const readMetrics = async () =>
      (await fetch(`${server.url}/metrics`, { headers: { authorization } })).text()
    await expect.poll(readMetrics).toMatch(/^capstan_streams 0$/m)
    expect(await readMetrics()).toMatch(/^capstan_sockets 0$/m)
  }, 60_000)
})
