import { connect } from 'node:net'
import { ScriptedModel, says } from '@capstan/harness/testing'
import type { ApiProblem, ThreadSummary } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createLogger } from '../../observe/logger.ts'
import type { Client } from '../test-server.fixture.ts'
import { connected, startTestServer } from '../test-server.fixture.ts'

const MB = 1024 * 1024

async function post(client: Client, path: string, body: unknown, headers: Record<string, string> = {}) {
  const answer = await client.request(path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  })
  const text = await answer.text()
  const problem = answer.ok ? undefined : (JSON.parse(text) as ApiProblem).error
  return { status: answer.status, problem, headers: answer.headers }
}

async function newThread(client: Client): Promise<string> {
  return (await client.json<ThreadSummary>('POST', '/api/threads', {})).id
}

describe('a body', () => {
  it.each([
    [{ text: 'Hello' }, 'messageId'],
    [{ messageId: 'message_1' }, 'text'],
    [{ text: ' ', messageId: 'message_1' }, 'text'],
    [{ text: 'Hello', messageId: 'message_1', colour: 'red' }, 'colour'],
    [{ text: 'Hello', messageId: 'message_1', mode: 'shout' }, 'mode'],
    [{ text: 'Hello', messageId: 'x'.repeat(201) }, 'messageId'],
    [{ text: 'x'.repeat(256 * 1024 + 1), messageId: 'message_1' }, 'text'],
    [
      {
        text: 'Hello',
        messageId: 'message_1',
        attachments: [{ name: 'a', mediaType: 'nothing', data: '' }],
      },
      'attachments.0.mediaType',
    ],
    [[], 'body'],
    ['"text"', 'body'],
  ])('%# with an invalid field is refused with the name of the field', async (body, field) => {
    const server = await startTestServer()
    const client = await server.logIn()
    const id = await newThread(client)
    const { status, problem } = await post(client, `/api/threads/${id}/messages`, body)
    expect(status).toBe(400)
    expect(problem).toMatchObject({ code: 'invalid', field })
  })

  it('is refused when it is not JSON or has another content type', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    expect((await post(client, '/api/threads', '{')).status).toBe(400)
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await post(client, '/api/threads', 'title=Plans', form)).status).toBe(415)
    expect((await post(client, '/api/threads', '{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  it('is refused by field name in a query, too, also for an unknown field', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    for (const [query, field] of [
      ['limit=0', 'limit'],
      ['limit=many', 'limit'],
      ['colour=red', 'colour'],
      ['archived=perhaps', 'archived'],
    ]) {
      const answer = await client.request(`/api/threads?${query}`)
      expect(answer.status).toBe(400)
      expect(await answer.json()).toMatchObject({ error: { code: 'invalid', field } })
    }
  })

  it('may be large only for a message with attachments', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Seen.')) })
    const client = await server.logIn()
    const id = await newThread(client)
    const toAttachment = (bytes: number) => ({
      name: 'a.png',
      mediaType: 'image/png',
      data: Buffer.alloc(bytes).toString('base64'),
    })
    const message = { text: 'Look', messageId: 'message_1' }
    const path = `/api/threads/${id}/messages`
    const tooMany = { ...message, attachments: [toAttachment(9 * MB), toAttachment(8 * MB)] }
    expect((await post(client, path, tooMany)).problem).toMatchObject({ code: 'too_large' })
    const enough = { ...message, attachments: [toAttachment(5 * MB), toAttachment(4 * MB)] }
    expect((await post(client, path, enough)).status).toBe(202)
    const title = 'x'.repeat(100 * 1024)
    expect((await post(client, '/api/threads', { title })).problem).toMatchObject({ code: 'too_large' })
  })

  it('that breaks off is logged as no error', async () => {
    const lines: string[] = []
    const logger = createLogger({ level: 'warn', to: { write: (line) => void lines.push(line) } })
    const server = await startTestServer({ logger })
    const client = await server.logIn()
    const socket = connect(server.port, '127.0.0.1')
    const head = `POST /api/threads HTTP/1.1\r\nHost: localhost:${server.port}\r\nOrigin: http://localhost:${server.port}`
    socket.write(`${head}\r\nCookie: ${client.cookie}\r\nContent-Length: 100\r\n\r\n{"title":`)
    const refusals = async () =>
      (await (await client.request('/metrics')).text()).match(/refusals_total\{.*/g)
    setTimeout(() => socket.destroy(), 50)
    await expect.poll(refusals).toEqual(['refusals_total{reason="invalid"} 1'])
    expect(lines).toEqual([])
  })

  it('of ten megabytes is not read, with or without a content length', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const body = JSON.stringify({ title: 'x'.repeat(10 * MB) })
    expect((await post(client, '/api/threads', body)).status).toBe(413)
    const stream = new ReadableStream({
      start(controller) {
        for (let at = 0; at < body.length; at += 64 * 1024)
          controller.enqueue(Buffer.from(body.slice(at, at + 64 * 1024)))
        controller.close()
      },
    })
    const streamed = client.request('/api/threads', {
      method: 'POST',
      body: stream,
      duplex: 'half',
      headers: { 'content-type': 'application/json' },
    })
    // The server may close the connection while the client still sends.
    expect(
      await streamed.then(
        ({ status }) => status,
        () => 413,
      ),
    ).toBe(413)
    expect((await client.request('/api/me')).status).toBe(200)
  })
})

describe('a page of another site', () => {
  const forms: Record<string, string>[] = [
    { origin: 'https://evil.example.com' },
    { origin: 'http://localhost:1' },
    { origin: 'null' },
    { origin: '' },
    { 'sec-fetch-site': 'cross-site', origin: 'null' },
  ]

  it.each(forms)('can change nothing although the browser sends the cookie: %j', async (headers) => {
    const server = await startTestServer()
    const client = await server.logIn()
    for (const type of ['application/json', 'text/plain', 'application/x-www-form-urlencoded']) {
      const { status, problem } = await post(client, '/api/threads', '{}', {
        ...headers,
        'content-type': type,
      })
      expect(status).toBe(403)
      expect(problem).toMatchObject({ code: 'forbidden' })
    }
    expect(await client.json('GET', '/api/threads')).toEqual({ threads: [] })
  })

  it('can change nothing with a request without an origin', async () => {
    const server = await startTestServer()
    const { cookie } = await server.logIn()
    const answer = await fetch(`${server.url}/api/logout`, { method: 'POST', headers: { cookie } })
    expect(answer.status).toBe(403)
  })

  it('is not confused with a program without a token, which is told how to get one', async () => {
    const server = await startTestServer()
    const answer = await fetch(`${server.url}/api/threads`, { method: 'POST', body: '{}' })
    expect(answer.status).toBe(403)
    const { error } = (await answer.json()) as ApiProblem
    expect(error).toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('capstan login --token'),
    })
  })

  it('gets no CORS permission', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const asked = await client.request('/api/threads', {
      method: 'OPTIONS',
      headers: { origin: 'https://evil.example.com', 'access-control-request-method': 'POST' },
    })
    expect(asked.status).toBe(403)
    const read = await client.request('/api/me', { headers: { origin: 'https://evil.example.com' } })
    for (const answer of [asked, read]) expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    expect(read.headers.get('cross-origin-resource-policy')).toBe('same-origin')
  })

  it.each(['cross-site', 'same-site'])('can read nothing, as %s', async (site) => {
    const server = await startTestServer()
    const client = await server.logIn()
    const headers = { 'sec-fetch-site': site }
    for (const path of ['/api/me', '/api/export', '/api/threads/thread_1/stream', '/metrics'])
      expect((await client.request(path, { headers })).status, path).toBe(403)
    expect((await client.request('/oauth/callback', { headers })).status).toBe(200)
    expect((await client.request('/api/me', { headers: { 'sec-fetch-site': 'none' } })).status).toBe(200)
  })

  it('gets nothing under a foreign host name', async () => {
    const server = await startTestServer()
    const { cookie } = await server.logIn()
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(server.port, '127.0.0.1')
      let text = ''
      socket.on('data', (chunk) => (text += String(chunk)))
      socket.on('close', () => resolve(text))
      socket.write(
        `GET /api/me HTTP/1.1\r\nHost: evil.example.com:${server.port}\r\nCookie: ${cookie}\r\nConnection: close\r\n\r\n`,
      )
    })
    expect(answer).toMatch(/^HTTP\/1.1 403/)
    expect(answer).not.toContain('local')
  })
})

describe('a program on this machine', () => {
  it('needs the install token and no origin', async () => {
    const server = await startTestServer()
    const headers = { authorization: `Bearer ${server.auth.token}`, 'content-type': 'application/json' }
    const created = await fetch(`${server.url}/api/threads`, { method: 'POST', body: '{}', headers })
    expect(created.status).toBe(200)
    const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text()
    expect(metrics).toContain('capstan_http_request_seconds_count')
    const crossed = await fetch(`${server.url}/api/threads`, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, origin: 'https://evil.example.com' },
    })
    expect(crossed.status).toBe(403)
  })
})

describe('a flood', () => {
  it('of messages is answered with retry-after and hardly slows others down', async () => {
    const server = await startTestServer()
    const flooder = await server.logIn('eve')
    const other = await server.logIn('ada')
    const id = await newThread(flooder)
    const path = `/api/threads/${id}/messages`
    const flooding = { isOver: false }
    const counts = { refused: 0, retryAfter: 0 }
    const flood = Array.from({ length: 50 }, async (_, lane) => {
      for (let count = 0; !flooding.isOver; count++) {
        const message = { text: 'Hello', messageId: `message_${lane}_${count}` }
        const { status, headers } = await post(flooder, path, message)
        if (status !== 429) continue
        counts.refused++
        if (Number(headers.get('retry-after')) >= 1) counts.retryAfter++
      }
    })
    const times: number[] = []
    try {
      for (let count = 0; count < 40; count++) {
        const started = performance.now()
        await other.json('GET', '/api/me')
        times.push(performance.now() - started)
      }
    } finally {
      flooding.isOver = true
      await Promise.all(flood)
    }
    expect(counts.refused).toBeGreaterThan(100)
    expect(counts.retryAfter).toBe(counts.refused)
    // The flood runs in this process, so most of the time is its own cost.
    expect(times.toSorted((a, b) => a - b)[20]).toBeLessThan(500)
  }, 30_000)

  it('of guessed tickets and cookies is limited by address', async () => {
    const server = await startTestServer({ limits: { strangers: { burst: 5, perSecond: 0.001 } } })
    const statuses: number[] = []
    for (let count = 0; count < 8; count++)
      statuses.push((await fetch(`${server.url}/login?ticket=guess`, { redirect: 'manual' })).status)
    expect(statuses).toEqual([303, 303, 303, 303, 303, 429, 429, 429])
    const me = await fetch(`${server.url}/api/me`, {
      headers: { cookie: `capstan_${server.port}=guess` },
    })
    expect(me.status).toBe(429)
  })

  it('of a thousand sockets opens as many as one user may have, and others can connect', async () => {
    const server = await startTestServer({ limits: { openings: { burst: 2000, perSecond: 100 } } })
    const eve = await server.logIn('eve')
    const ada = await server.logIn('ada')
    let open = 0
    for (let batch = 0; batch < 10; batch++) {
      const results = await Promise.all(Array.from({ length: 100 }, () => connected(eve.open())))
      open += results.filter((result) => result === 'connected').length
    }
    expect(open).toBe(50)
    expect(await connected(ada.open())).toBe('connected')
  }, 30_000)
})
