import { createMemoryStore } from '@capstan/harness/stores'
import { ScriptedModel, says } from '@capstan/harness/testing'
import type { ThreadId, ThreadSummary } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import { startTestServer } from '../http/test-server.fixture.ts'
import type { Metrics } from '../observe/metrics/metrics.ts'
import { streamThread } from './stream-thread.ts'
import { createThreadFeeds } from './thread-feeds.ts'

async function startWithTurn() {
  const server = await startTestServer({
    model: new ScriptedModel(says('Hello yourself.')),
    limits: { streamsPerUser: 2 },
  })
  const client = await server.logIn()
  const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
  await client.json('POST', `/api/threads/${id}/messages`, { text: 'Hello', messageId: 'message_1' })
  await server.assistant.threadsOf('local').idle()
  return { server, client, path: `/api/threads/${id}/stream` }
}

describe('a stream', () => {
  it('uses the sequence number as event id and starts after the number it is given', async () => {
    const { server, client, path } = await startWithTurn()
    const all = await client.request(path)
    expect(all.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const after = await client.request(`${path}?after=2`)
    await expect(client.json('GET', path)).rejects.toThrow('429') // a user may have two streams
    const reading = [all.text(), after.text()]
    await new Promise((resolve) => setTimeout(resolve, 100))
    await server.stop({ graceMs: 0 })
    const [first, second] = await Promise.all(reading)
    expect(first).toMatch(/^retry: 1000\n\nid: 1\ndata: \{"type":"turn-start"/)
    expect(second).toMatch(/^retry: 1000\n\nid: 3\ndata: /)
    const ids = [...first!.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id))
    expect(ids).toEqual(ids.map((_, index) => index + 1))
  })

  it('is not opened by a HEAD request', async () => {
    const { client, path } = await startWithTurn()
    expect((await client.request(path, { method: 'HEAD' })).status).toBe(404)
    expect(await (await client.request('/metrics')).text()).toMatch(/^capstan_streams 0$/m)
  })

  it('refuses a Last-Event-ID that is not a number', async () => {
    const { client, path } = await startWithTurn()
    const answer = await client.request(path, { headers: { 'last-event-id': 'x' } })
    expect(await answer.json()).toMatchObject({ error: { field: 'last-event-id' } })
  })

  it('sends a heartbeat while nothing happens, and frees everything when it is cancelled', async () => {
    const store = createMemoryStore()
    const left = vi.fn<() => void>()
    const gauge = { inc: vi.fn<() => void>(), dec: vi.fn<() => void>() }
    const answer = streamThread({
      feeds: createThreadFeeds(store.ledger),
      visitors: { admit: () => left, close: () => {} },
      metrics: { streams: gauge } as unknown as Metrics,
      caller: { userId: 'ada', isOwner: false, isFresh: false, browserId: '' },
      threadId: 'thread_1' as ThreadId,
      after: 0,
      heartbeatMs: 5,
    })
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader.read()).value).toBe('retry: 1000\n\n')
    expect((await reader.read()).value).toBe(': still here\n\n')
    await reader.cancel()
    expect(left).toHaveBeenCalledOnce()
    expect(gauge.dec).toHaveBeenCalledOnce()
  })
})
