import { connect } from 'node:net'
import type { LedgerRecord } from '@capstan/harness/stores'
import type { ConnectionRow, RunId, ThreadId, ThreadSummary, TurnEvent } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client, TestServer } from '../../http/test-server.fixture.ts'
import { connected, startTestServer } from '../../http/test-server.fixture.ts'

const EVENTS = 3000
const EVENT_CHARS = 10_000

/** A thread with thirty megabytes of events. */
async function startWithLongThread(): Promise<{ server: TestServer; client: Client; threadId: ThreadId }> {
  const server = await startTestServer()
  const client = await server.logIn()
  const { id: threadId } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  const records = Array.from({ length: EVENTS }, (_, index): LedgerRecord => {
    const envelope = { threadId, runId: 'run_1' as RunId, seq: index + 1, at: 0 }
    const delta = 'x'.repeat(EVENT_CHARS)
    return { type: 'event', at: 0, event: { type: 'text-delta', iteration: 1, delta, ...envelope } }
  })
  await server.assistant.store.ledger.commit(threadId, records)
  return { server, client, threadId }
}

async function countSent(client: Client): Promise<number> {
  const text = await (await client.request('/metrics')).text()
  return Number(/^capstan_events_sent_total\{from="ledger"\} (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** Resolves when nothing more is sent. */
async function sentAtRest(client: Client): Promise<number> {
  let last = -1
  for (;;) {
    const sent = await countSent(client)
    if (sent === last && sent > 0) return sent
    last = sent
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
}

describe('a reader that does not read', () => {
  it('of a socket is sent little, slows nobody down, and continues where it stopped', async () => {
    const { client, threadId } = await startWithLongThread()
    const socket = client.open()
    expect(await connected(socket)).toBe('connected')
    const got: number[] = []
    const all = new Promise<void>((resolve) => {
      socket.on('turn-events', (events: readonly TurnEvent[]) => {
        got.push(...events.map(({ seq }) => seq))
        if (got.at(-1) === EVENTS) resolve()
      })
    })
    const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }
    socket.emit('thread-watch', { threadId, after: 0 }, () => {})
    ws.pause()
    const sent = await sentAtRest(client)
    expect(sent).toBeLessThan(EVENTS * 0.7)
    const started = performance.now()
    await client.json('GET', '/api/me')
    expect(performance.now() - started).toBeLessThan(500)
    ws.resume()
    await all
    expect(got).toEqual(Array.from({ length: EVENTS }, (_, index) => index + 1))
  }, 20_000)

  it('of updates is disconnected', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const socket = client.open()
    expect(await connected(socket)).toBe('connected')
    const { ws } = socket.io.engine.transport as unknown as { ws: { pause(): void } }
    ws.pause()
    const { bus } = server.assistant.integrations
    await expect
      .poll(async () => {
        for (let count = 0; count < 3000; count++)
          bus.publish({ type: 'connections-changed', userId: 'local', connection: CONNECTION })
        return (await client.request('/metrics')).text()
      })
      .toMatch(/^capstan_refusals_total\{reason="socket_slow"\} 1$/m)
    expect(await (await client.request('/metrics')).text()).toMatch(/^capstan_sockets 0$/m)
  }, 20_000)

  it('of a stream is sent little', async () => {
    const { server, client, threadId } = await startWithLongThread()
    const socket = connect(server.port, '127.0.0.1')
    socket.pause()
    socket.write(
      `GET /api/threads/${threadId}/stream HTTP/1.1\r\nHost: localhost\r\nCookie: ${client.cookie}\r\n\r\n`,
    )
    expect(await sentAtRest(client)).toBeLessThan(EVENTS * 0.7)
    socket.destroy()
    await expect.poll(async () => (await client.request('/metrics')).text()).toMatch(/^capstan_streams 0$/m)
  }, 20_000)
})

const CONNECTION: ConnectionRow = {
  id: 'connection_1',
  userId: 'local',
  connector: 'local',
  toolkit: 'notes',
  status: 'active',
  label: 'x'.repeat(2000),
  isDefault: true,
  createdAt: 1,
  updatedAt: 1,
}
