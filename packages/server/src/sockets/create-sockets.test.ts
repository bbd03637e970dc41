import { ScriptedModel, drips, finish, handMadeModel, says, text } from '@capstan/harness/testing'
import type { ThreadId, ThreadSummary, TurnEvent, WatchReply } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { Client, ClientSocket } from '../http/test-server.fixture.ts'
import { connected, startTestServer, toClient } from '../http/test-server.fixture.ts'

const watch = (socket: ClientSocket, threadId: string, after = 0): Promise<WatchReply> =>
  socket.emitWithAck('thread-watch', { threadId: threadId as ThreadId, after })

/** Resolves with all events when the turn has ended. */
function receiveToEnd(socket: ClientSocket): Promise<readonly TurnEvent[]> {
  const received: TurnEvent[] = []
  return new Promise((resolve) => {
    socket.on('turn-events', (events) => {
      received.push(...events)
      if (events.some(({ type }) => type === 'turn-end')) resolve(received)
    })
  })
}

async function newThread(client: Client): Promise<ThreadId> {
  return (await client.json<ThreadSummary>('POST', '/api/threads', {})).id
}

const sendMessage = (client: Client, threadId: string) =>
  client.json('POST', `/api/threads/${threadId}/messages`, {
    text: 'Hello',
    messageId: crypto.randomUUID(),
  })

describe('a page', () => {
  it('receives every event of a thread it watches, without a gap', async () => {
    const server = await startTestServer({ model: new ScriptedModel(drips('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    const socket = client.open()
    expect(await connected(socket)).toBe('connected')
    expect(await watch(socket, threadId)).toEqual({ ok: true, lastSeq: 0 })
    const received = receiveToEnd(socket)
    await sendMessage(client, threadId)
    const events = await received
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
    expect(events).toEqual(await server.assistant.store.ledger.readEvents(threadId, 0))
  })

  it('that watches a thread twice at once gets two answers, and every event once', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    const socket = client.open()
    await connected(socket)
    const replies = await Promise.all([watch(socket, threadId), watch(socket, threadId)])
    expect(replies).toEqual([
      { ok: true, lastSeq: 0 },
      { ok: true, lastSeq: 0 },
    ])
    const received = receiveToEnd(socket)
    await sendMessage(client, threadId)
    const events = await received
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1))
  })

  it('receives missed events after the sequence number it names', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    await sendMessage(client, threadId)
    await server.assistant.threadsOf('local').idle()
    const socket = client.open()
    const received = receiveToEnd(socket)
    const reply = await watch(socket, threadId, 2)
    const events = await received
    expect(reply).toEqual({ ok: true, lastSeq: events.at(-1)!.seq })
    expect(events[0]!.seq).toBe(3)
  })

  it('connects again when its thread could not be read for a moment, and misses nothing', async () => {
    const server = await startTestServer({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = await server.logIn()
    const threadId = await newThread(client)
    await sendMessage(client, threadId)
    const { ledger } = server.assistant.store
    await vi.waitFor(async () => expect(await ledger.lastSeq(threadId)).toBeGreaterThan(3))
    const reading = vi.spyOn(ledger, 'readEvents').mockRejectedValueOnce(new Error('the database is away'))
    const socket = client.open()
    await connected(socket)
    const cut = new Promise((resolve) => void socket.once('disconnect', resolve))
    watch(socket, threadId).catch(() => {})
    expect(await cut).toBe('transport close')
    const again = client.open()
    await connected(again)
    const received = receiveToEnd(again)
    await watch(again, threadId)
    expect((await received).map(({ seq }) => seq)[0]).toBe(1)
    expect(reading.mock.calls.length).toBeGreaterThan(1)
  })

  it('receives updates of its own user only', async () => {
    const server = await startTestServer()
    const ada = await server.logIn('ada')
    const bob = await server.logIn('bob')
    const [hers, his] = [ada.open(), bob.open()]
    await Promise.all([connected(hers), connected(his)])
    const received: string[] = []
    his.onAny((event: string) => received.push(event))
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
    await watch(his, 'thread_unknown') // every earlier event arrives before this reply
    expect(received).toEqual([])
  })

  it('gets the same reply for a thread of another user as for an unknown one', async () => {
    const server = await startTestServer()
    const threadId = await newThread(await server.logIn('ada'))
    const socket = (await server.logIn('eve')).open()
    await connected(socket)
    const unknown = await watch(socket, 'thread_unknown')
    expect(unknown).toEqual({ ok: false, reason: 'unknown' })
    expect(await watch(socket, threadId)).toEqual(unknown)
    socket.emit('thread-leave', threadId)
    expect(await watch(socket, threadId)).toEqual(unknown)
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
  ])('gets the reply invalid for %j', async (wanted) => {
    const server = await startTestServer()
    const socket = (await server.logIn()).open()
    expect(await socket.emitWithAck('thread-watch', wanted as never)).toEqual({
      ok: false,
      reason: 'invalid',
    })
    socket.emit('thread-leave', wanted as never)
    ;(socket as unknown as { emit(name: string, ...rest: unknown[]): void }).emit('thread-watch', wanted)
    expect(await watch(socket, 'thread_unknown')).toEqual({ ok: false, reason: 'unknown' })
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

  it('gets no socket under a foreign host name', async () => {
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
  it('is refused, also with an unknown cookie', async () => {
    const server = await startTestServer()
    for (const cookie of ['', `capstan_${server.port}=made-up`])
      expect(await connected(toClient(server, cookie, 'nobody').open())).not.toBe('connected')
  })

  it('is closed at once when the login is revoked, and cannot reconnect', async () => {
    const server = await startTestServer()
    const client = await server.logIn()
    const other = (await server.logIn()).open()
    const socket = client.open()
    await Promise.all([connected(socket), connected(other)])
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    await client.json('POST', '/api/logout')
    await closed
    expect(await connected(client.open())).not.toBe('connected')
    expect(other.connected).toBe(true)
  })

  it('is accepted with the install token', async () => {
    const server = await startTestServer()
    const headers = { authorization: `Bearer ${server.auth.token}` }
    expect(await connected(toClient(server, '', 'local').open({ headers }))).toBe('connected')
  })
})

describe('limits', () => {
  it('on the sockets of one user do not affect another user', async () => {
    const server = await startTestServer({ limits: { streamsPerUser: 3 } })
    const ada = await server.logIn('ada')
    const bob = await server.logIn('bob')
    const sockets = [ada.open(), ada.open(), ada.open()]
    expect(await Promise.all(sockets.map(connected))).toEqual(['connected', 'connected', 'connected'])
    expect(await connected(ada.open())).toBe('too_many')
    expect(await connected(bob.open())).toBe('connected')
    const left = new Promise((resolve) => sockets[0]!.once('disconnect', resolve))
    sockets[0]!.close()
    await left
    await expect.poll(() => connected(ada.open())).toBe('connected')
  })

  it('on the threads of one socket are answered with too_many', async () => {
    const server = await startTestServer({ limits: { threadsPerSocket: 2 } })
    const client = await server.logIn()
    const ids = [await newThread(client), await newThread(client), await newThread(client)]
    const socket = client.open()
    expect((await watch(socket, ids[0]!)).ok).toBe(true)
    expect((await watch(socket, ids[1]!)).ok).toBe(true)
    expect((await watch(socket, ids[1]!)).ok).toBe(true)
    expect(await watch(socket, ids[2]!)).toEqual({ ok: false, reason: 'too_many' })
    socket.emit('thread-leave', ids[0]!)
    expect((await watch(socket, ids[2]!)).ok).toBe(true)
  })

  it('on new sockets apply per user, before the connection is set up', async () => {
    const server = await startTestServer({ limits: { openings: { burst: 2, perSecond: 0.001 } } })
    const ada = await server.logIn('ada')
    const results: string[] = []
    for (let count = 0; count < 3; count++) results.push(await connected(ada.open()))
    expect(results).toEqual(['connected', 'connected', 'websocket error'])
    expect(await connected((await server.logIn('bob')).open())).toBe('connected')
    const { id } = await ada.json<ThreadSummary>('POST', '/api/threads', {})
    expect((await ada.request(`/api/threads/${id}/stream`)).status).toBe(200)
  })

  it('close a socket that sends too many events', async () => {
    const server = await startTestServer()
    const socket = (await server.logIn()).open()
    await connected(socket)
    const closed = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    for (let count = 0; count < 5000; count++) socket.emit('typing-start')
    expect(await closed).toBe('io server disconnect')
  })

  it('close a socket that sends too large an event', async () => {
    const server = await startTestServer()
    const socket = (await server.logIn()).open()
    await connected(socket)
    const closed = new Promise<string>((resolve) => socket.once('disconnect', resolve))
    socket.emit('thread-leave', 'x'.repeat(100_000) as ThreadId)
    expect(await closed).toBe('transport close')
  })
})

describe('a server that stops', () => {
  it('announces the stop, delivers the end of the turn and closes the sockets', async () => {
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
    const socket = client.open()
    await watch(socket, threadId)
    const received = receiveToEnd(socket)
    const stopping = new Promise<void>((resolve) => socket.once('server-stop', resolve))
    const closed = new Promise((resolve) => socket.once('disconnect', resolve))
    await sendMessage(client, threadId)
    const stopped = server.stop({ graceMs: 2000 })
    await stopping
    gate.resolve()
    expect((await received).at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done' } })
    await Promise.all([closed, stopped])
    await expect(client.request('/api/health')).rejects.toThrow('fetch failed')
  })
})
