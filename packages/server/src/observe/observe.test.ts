import { Writable } from 'node:stream'
import { fail } from '@capstan/harness'
import { ScriptedModel, calls, says, stubTool } from '@capstan/harness/testing'
import type { ThreadSummary } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { connected, startTestServer } from '../http/test-server.fixture.ts'
import { createLogger } from './logger.ts'

function createLines() {
  const lines: string[] = []
  const to = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk))
      done()
    },
  })
  return { lines, logger: createLogger({ level: 'trace', to }) }
}

describe('the log', () => {
  it('contains requests without ticket, cookie, token, code or state', async () => {
    const { lines, logger } = createLines()
    const server = await startTestServer({ logger })
    const ticket = server.auth.mintTicket()
    const client = await server.logIn()
    await fetch(`${server.url}/login?ticket=${ticket}`, { redirect: 'manual' })
    await client.request('/oauth/callback?code=the-code-12345&state=the-state-12345')
    await client.request('/api/threads/thread_unknown')
    await fetch(`${server.url}/metrics`, { headers: { authorization: `Bearer ${server.auth.token}` } })
    await connected(client.open())
    await server.stop({ graceMs: 0 })
    const text = lines.join('')
    for (const secret of [ticket, client.cookie.split('=')[1]!, server.auth.token, 'the-code', 'the-state'])
      expect(text).not.toContain(secret)
    expect(text).not.toContain('thread_unknown')
    const requests = lines.map((line) => JSON.parse(line) as Record<string, unknown>)
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/oauth/callback', status: 200 }),
    )
    expect(requests).toContainEqual(
      expect.objectContaining({ method: 'GET', route: '/api/threads/:threadId', status: 404 }),
    )
  })

  it('redacts secret fields and scrubs errors', () => {
    const { lines, logger } = createLines()
    const key = `sk-proj-${'a1B2c3D4'.repeat(6)}`
    logger.info({ headers: { authorization: 'Bearer abc', cookie: 'capstan=abc' }, token: 'abc' }, 'hello')
    logger.error({ err: new Error(`failed with OPENAI_API_KEY=${key}`) }, 'a request failed')
    expect(lines.join('')).not.toContain('abc')
    expect(lines.join('')).not.toContain(key)
    expect(lines.join('')).toContain('a request failed')
  })

  it('contains an internal error under the request id that the client received', async () => {
    const { lines, logger } = createLines()
    const server = await startTestServer({ logger })
    const client = await server.logIn()
    const { ledger } = server.assistant.store
    ledger.lastSeq = () => {
      throw new Error('the disk said no')
    }
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    const answer = await client.request(`/api/threads/${id}`)
    expect(answer.status).toBe(500)
    const body = await answer.text()
    expect(body).toContain('"code":"internal"')
    expect(body).not.toContain('disk')
    const requestId = answer.headers.get('x-request-id')!
    expect(lines.find((line) => line.includes(requestId) && line.includes('the disk said no'))).toBeDefined()
  })
})

describe('the metrics', () => {
  it('count requests, sockets, events, turns and failures', async () => {
    const server = await startTestServer({
      model: new ScriptedModel(calls('break_it'), says('It is broken.')),
      agent: { tools: [stubTool('break_it', () => fail('no', { httpStatus: 503 }))] },
    })
    const client = await server.logIn()
    const { id } = await client.json<ThreadSummary>('POST', '/api/threads', {})
    const socket = client.open()
    await socket.emitWithAck('thread-watch', { threadId: id, after: 0 })
    const ended = new Promise<void>((resolve) => {
      socket.on('turn-events', (events) => {
        if (events.some(({ type }) => type === 'turn-end')) resolve()
      })
    })
    await client.json('POST', `/api/threads/${id}/messages`, { text: 'Hello', messageId: 'message_1' })
    await ended
    const text = await (await client.request('/metrics')).text()
    const read = (name: string): number =>
      Number(new RegExp(`^${name.replaceAll(/[{}"]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
    expect(read('capstan_sockets')).toBe(1)
    expect(read('capstan_turns_total{outcome="done"}')).toBe(1)
    expect(read('capstan_failures_total{class="service_unavailable",where="call"}')).toBe(1)
    expect(read('capstan_events_sent_total{from="live"}')).toBeGreaterThan(3)
    expect(read('capstan_event_delay_seconds_count')).toBeGreaterThan(3)
    expect(read('capstan_http_request_seconds_count{method="POST",route="/api/threads",status="200"}')).toBe(
      1,
    )
    expect(text).toContain('capstan_integrations_total{what="refreshFailures"} 0')
    expect(text).toContain('process_resident_memory_bytes')
    expect(text).not.toContain(id)
  })
})
