import { describe, expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'
import { ScriptedModel, says } from '@capstan/harness/testing'
import type {
  EventPage,
  MessageReceipt,
  RunDetail,
  Stats,
  ThreadPage,
  ThreadSummary,
  TurnEvent,
} from '@capstan/protocol'

describe('a thread over HTTP', () => {
  it('is created, written to, read, renamed, exported and deleted', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = await server.logIn()
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    const { runId } = await client.json<MessageReceipt>('POST', `/api/threads/${id}/messages`, {
      text: 'Hello',
      messageId: 'message_1',
    })
    await server.assistant.threadsOf('local').idle()
    const { events, lastSeq } = await client.json<EventPage>('GET', `/api/threads/${id}/events`)
    expect(events[0]).toMatchObject({ type: 'turn-start', runId, text: 'Hello', seq: 1 })
    expect(events.at(-1)).toMatchObject({ type: 'turn-end', seq: lastSeq })
    const later = await client.json<EventPage>('GET', `/api/threads/${id}/events?after=1&limit=1`)
    expect(later.events.map(({ seq }) => seq)).toEqual([2])
    await client.json('PATCH', `/api/threads/${id}`, { title: 'Greetings' })
    const page = await client.json<ThreadPage>('GET', '/api/threads')
    expect(page.threads).toMatchObject([{ id, title: 'Greetings' }])
    const run = await client.json<RunDetail>('GET', `/api/runs/${runId}`)
    expect(run).toMatchObject({ run: { id: runId, status: 'done' }, prefixBreaks: [] })
    expect(run.explanation.length).toBeGreaterThan(3)
    const { outcome } = events.at(-1) as Extract<TurnEvent, { type: 'turn-end' }>
    expect(run.snapshot).toEqual({
      status: outcome.type,
      iterations: outcome.iterations,
      steps: [],
      usage: outcome.usage,
    })
    const stats = await client.json<Stats>('GET', '/api/stats?days=2')
    expect(stats.days).toHaveLength(2)
    expect(stats.days.at(-1)).toMatchObject({ turns: 1, failed: 0, inputTokens: 10, outputTokens: 5 })
    const file = await client.request(`/api/threads/${id}/export?format=markdown`)
    expect(file.headers.get('content-disposition')).toBe(`attachment; filename="${id}.md"`)
    expect(await file.text()).toContain('Hello yourself.')
    const all = await (await client.request('/api/export')).text()
    expect(all.split('\n')[0]).toContain(id)
    expect((await client.request(`/api/threads/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await client.request(`/api/threads/${id}`)).status).toBe(404)
  })
})
