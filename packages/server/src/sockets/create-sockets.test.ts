import { ScriptedModel, drips, finish, handMadeModel, says, text } from '@capstan/harness/testing'
import type { ThreadId, ThreadSummary, TurnEvent, WatchReply } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { Client, Wire } from '../http/test-server.fixture.ts'
import { connected, startTestServer, toClient } from '../http/test-server.fixture.ts'

const watch = (wire: Wire, threadId: string, after = 0): Promise<WatchReply> =>
  wire.emitWithAck('thread-watch', { threadId: threadId as ThreadId, after })

/** Settles with all events when the turn has ended. */
function heardToEnd(wire: Wire): Promise<readonly TurnEvent[]> {
  const heard: TurnEvent[] = []
  return new Promise((resolve) => {
    wire.on('turn-events', (events) => {
      heard.push(...events)
      if (events.some(({ type }) => type === 'turn-end')) resolve(heard)
    })
  })
}

async function newThread(client: Client): Promise<ThreadId> {
  return (await client.json<ThreadSummary>('POST', '/api/threads', {})).id
}

const say = (client: Client, threadId: string) =>
  client.json('POST', `/api/threads/${threadId}/messages`, {
    text: 'Hello',
    messageId: crypto.randomUUID(),
  })

describe('a page', () => {
  it('hears a turn of a thread it watches, without a gap', async () => {
    const server = await startTestServer({ model: new ScriptedModel(drips('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    const wire = client.open()
    expect(await connected(wire)).toBe('connected')
    expect(await watch(wire, threadId)).toEqual({ ok: true, lastSeq: 0 })
    const heard = heardToEnd(wire)
    await say(client, threadId)
    const events = await heard
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events).toEqual(await server.assistant.store.ledger.readEvents(threadId, 0))
  })

  it('that comes later gets what it missed, after the number it says', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    await say(client, threadId)
    await server.assistant.threadsOf('local').idle()
    const wire = client.open()
    const heard = heardToEnd(wire)
    const reply = await watch(wire, threadId, 2)
    const events = await heard
    expect(reply).toEqual({ ok: true, lastSeq: events.at(-1)!.seq })
    expect(events[0]!.seq).toBe(3)
  })

  it('hears of threads, approvals, connections and settings of its user, and of nobody else', async () => {
    const server = await startTestServer()
    const ada = await server.logIn('ada')
    const bob = await server.logIn('bob')
    const [hers, his] = [ada.open(), bob.open()]
    await Promise.all([connected(hers), connected(his)])
    const told: string[] = []
    his.onAny((event: string) => told.push(event))
    const changed = new Promise<ThreadSummary>((resolve) =>
      hers.once('threads-change', ([thread]) => resolve(thread!)),
    )
    const threadId = await newThread(ada)
    expect(await changed).toMatchObject({ id: threadId })
    const settings = new Promise<void>((resolve) => hers.once('settings-change', resolve))
    await ada.json('PATCH', '/api/settings', { theme: 'dark' })
    await settings
    const removed = new Promise<string>((resolve) => hers.once('thread-remove', resolve))
    await ada.json('DELETE', `/api/threads/${threadId}`)
    expect(await removed).toBe(threadId)
    await watch(his, 'thread_unknown') // whatever was sent to him has arrived before this answer
    expect(told).toEqual([])
  })

  it('learns the same of a thread of somebody else as of one that is not there', async () => {
    const server = await startTestServer()
    const threadId = await newThread(await server.logIn('ada'))
    const wire = (await server.logIn('eve')).open()
    await connected(wire)
    const unknown = await watch(wire, 'thread_unknown')
    expect(unknown).toEqual({ ok: false, reason: 'unknown' })
    expect(await watch(wire, threadId)).toEqual(unknown)
    wire.emit('thread-leave', threadId)
    expect(await watch(wire, threadId)).toEqual(unknown)
  })

  it.each([
    undefined,
    null,
    'thread_1',
    { threadId: 'thread_1' },
    { threadId: 'thread_1', after: -1 },
    { threadId: 'thread_1', after: 0.5 },
    { threadId: 'thread_1', after: '0' },
    { threadId: { $ne: '' }, after: 0 },
    { threadId: 'thread_1', after: 0, more: true },
  ])('that says %j is told that it makes no sense', async (wanted) => {
    const server = await startTestServer()
    const wire = (await server.logIn()).open()
    expect(await wire.emitWithAck('thread-watch', wanted as never)).toEqual({ ok: false, reason: 'invalid' })
    wire.emit('thread-leave', wanted as never)
    ;(wire as unknown as { emit(name: string, ...rest: unknown[]): void }).emit('thread-watch', wanted)
    expect(await watch(wire, 'thread_unknown')).toEqual({ ok: false, reason: 'unknown' })
  })
})

describe('a page of another site', () => {
  it.each(['websocket', 'polling'])('gets no socket over %s, cookie or not', async (transport) => {
    const server = await startTestServer()
    const client = await server.logIn()
    for (const origin of ['https://evil.example.com', 'http://localhost:1', 'null'])
      expect(await connected(client.open({ headers: { origin }, transports: [transport] }))).not.toBe(
        'connected',
      )
    expect(await connected(client.open({ transports: [transport] }))).toBe('connected')
  })

  it('gets none under a name that was pointed here', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const headers = {
      host: `evil.example.com:${server.port}`,
      origin: `http://evil.example.com:${server.port}`,
    }
    expect(await connected(client.open({ headers }))).not.toBe('connected')
  })
})

describe('a socket without a login', () => {
  it('is refused, as is one with a cookie of nobody', async () => {
    const server = await startTestServer()
    for (const cookie of ['', `capstan_${server.port}=made-up`])
      expect(await connected(toClient(server, cookie, 'nobody').open())).not.toBe('connected')
  })

  it('is closed at once when the login is revoked, and stays out', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const other = (await server.logIn()).open()
    const wire = client.open()
    await Promise.all([connected(wire), connected(other)])
    const closed = new Promise((resolve) => wire.once('disconnect', resolve))
    await client.json('POST', '/api/logout')
    await closed
    expect(await connected(client.open())).not.toBe('connected')
    expect(other.connected).toBe(true)
  })

  it('may be a program with the install token', async () => {
    const server = await startTestServer()
    const headers = { authorization: `Bearer ${server.auth.token}` }
    expect(await connected(toClient(server, '', 'local').open({ headers }))).toBe('connected')
  })
})

describe('limits', () => {
  it('of sockets for one user do not concern another', async () => {
    const server = await startTestServer({ limits: { wiresPerUser: 3 } })
    const ada = await server.logIn('ada')
    const bob = await server.logIn('bob')
    const wires = [ada.open(), ada.open(), ada.open()]
    expect(await Promise.all(wires.map(connected))).toEqual(['connected', 'connected', 'connected'])
    expect(await connected(ada.open())).toBe('too_many')
    expect(await connected(bob.open())).toBe('connected')
    const left = new Promise((resolve) => wires[0]!.once('disconnect', resolve))
    wires[0]!.close()
    await left
    await expect.poll(() => connected(ada.open())).toBe('connected')
  })

  it('of threads on one socket are told', async () => {
    const server = await startTestServer({ limits: { threadsPerSocket: 2 } })
    const client = await server.logIn()
    const ids = [await newThread(client), await newThread(client), await newThread(client)]
    const wire = client.open()
    expect((await watch(wire, ids[0]!)).ok).toBe(true)
    expect((await watch(wire, ids[1]!)).ok).toBe(true)
    expect((await watch(wire, ids[1]!)).ok).toBe(true)
    expect(await watch(wire, ids[2]!)).toEqual({ ok: false, reason: 'too_many' })
    wire.emit('thread-leave', ids[0]!)
    expect((await watch(wire, ids[2]!)).ok).toBe(true)
  })

  it('of openings hold for one user, and refuse before anything is set up', async () => {
    const server = await startTestServer({ limits: { openings: { burst: 2, perSecond: 0.001 } } })
    const ada = await server.logIn('ada')
    const results: string[] = []
    for (let count = 0; count < 3; count++) results.push(await connected(ada.open()))
    expect(results).toEqual(['connected', 'connected', 'websocket error'])
    expect(await connected((await server.logIn('bob')).open())).toBe('connected')
    const { id } = await ada.json<ThreadSummary>('POST', '/api/threads', {})
    expect((await ada.request(`/api/threads/${id}/stream`)).status).toBe(200)
  })

  it('close a socket that does not stop talking', async () => {
    const server = await startTestServer()
    const wire = (await server.logIn()).open()
    await connected(wire)
    const closed = new Promise<string>((resolve) => wire.once('disconnect', resolve))
    for (let count = 0; count < 5000; count++) wire.emit('typing-start')
    expect(await closed).toBe('io server disconnect')
  })

  it('close a socket that sends too much at once', async () => {
    const server = await startTestServer()
    const wire = (await server.logIn()).open()
    await connected(wire)
    const closed = new Promise<string>((resolve) => wire.once('disconnect', resolve))
    wire.emit('thread-leave', 'x'.repeat(100_000) as ThreadId)
    expect(await closed).toBe('transport close')
  })
})

describe('when the server stops', () => {
  it('its pages are told, hear the end of the turn, and are let go', async () => {
    const gate = Promise.withResolvers<void>()
    const model = handMadeModel(async function* () {
      yield text('Wait')
      await gate.promise
      yield text(' for it.')
      yield finish
    })
    const server = await startTestServer({ model })
    const client = await server.logIn()
    const threadId = await newThread(client)
    const wire = client.open()
    await watch(wire, threadId)
    const heard = heardToEnd(wire)
    const told = new Promise<void>((resolve) => wire.once('server-stop', resolve))
    const closed = new Promise((resolve) => wire.once('disconnect', resolve))
    await say(client, threadId)
    const stopped = server.stop({ graceMs: 2000 })
    await told
    gate.resolve()
    expect((await heard).at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done' } })
    await Promise.all([closed, stopped])
    await expect(client.request('/api/health')).rejects.toThrow('fetch failed')
  })
})
