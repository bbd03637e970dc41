import { setTimeout as pause } from 'node:timers/promises'
import type { ModelClient } from '@capstan/harness'
import { finish, handMadeModel, says, ScriptedModel, text } from '@capstan/harness/testing'
import type { TurnEvent } from '@capstan/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, createFolder, start, startProcess, startProxyWithoutSockets } from './client.fixture.ts'
import type { Client } from './create-client.ts'
import { createClient } from './create-client.ts'
import type { WatchState } from './live/thread-watch.ts'
import { foldEvents } from './view/fold-events.ts'
import { EMPTY_THREAD } from './view/thread-view.ts'
import { answerOf } from './view/turn-view.ts'

/** Answers every message with many small parts, so that a turn is under way for a while. */
const chatty = (): ModelClient =>
  handMadeModel(async function* () {
    for (let word = 0; word < 60; word++) {
      yield text(`word ${word} `)
      await pause(5)
    }
    yield finish
  })

/** Everything a watch delivers. */
function watch(client: Client, threadId: string) {
  const events: TurnEvent[] = []
  const states: WatchState[] = []
  const stop = client.watchThread(threadId, {
    onEvent: (event) => events.push(event),
    onState: (state) => states.push(state),
  })
  const ends = (): number => events.filter(({ type }) => type === 'turn-end').length
  const seqs = (): readonly number[] => events.map(({ seq }) => seq)
  return { events, states, stop, ends, seqs }
}

const until = (isSo: () => boolean) => expect.poll(isSo, { timeout: 15_000, interval: 20 }).toBe(true)
const isGapless = (seqs: readonly number[]): boolean => seqs.every((seq, at) => seq === at + 1)

describe('a client', { timeout: 30_000 }, () => {
  it('sends a message and sees the turn end, with the token of a program', async () => {
    const server = await start({ model: new ScriptedModel(says('Hello yourself.')) })
    const client = connect(server.url, server.token)
    const thread = await client.api.createThread({ title: 'Greeting' })
    const seen = watch(client, thread.id)
    await client.api.sendMessage(thread.id, { text: 'Hello', messageId: 'm1' })
    await until(() => seen.ends() === 1)
    expect(isGapless(seen.seqs())).toBe(true)
    const view = foldEvents(EMPTY_THREAD, seen.events)
    expect(answerOf(view.turns[0]!)).toEqual({ text: 'Hello yourself.', isFinal: true })
    expect(seen.states).toEqual(['live'])
  })

  it('acts as the user of a login cookie, also for changes and on the socket', async () => {
    const server = await start({ model: new ScriptedModel(says('Hi.')) })
    const client = createClient({ url: server.url, cookie: await server.logIn() })
    onTestFinished(() => client.close())
    const thread = await client.api.createThread()
    const seen = watch(client, thread.id)
    await until(() => seen.states.includes('live'))
    await client.api.sendMessage(thread.id, { text: 'Hello', messageId: 'm1' })
    await until(() => seen.ends() === 1)
    expect(client.state()).toBe('online')
  })

  it('continues without a gap or a repeat after a graceful stop and a restart on the same port', async () => {
    const folder = await createFolder()
    const first = await start({ model: chatty(), folder })
    const client = connect(first.url, first.token)
    const thread = await client.api.createThread()
    const seen = watch(client, thread.id)
    await client.api.sendMessage(thread.id, { text: 'Talk', messageId: 'm1' })
    await until(() => seen.events.some(({ type }) => type === 'text-delta'))
    await first.stop({ graceMs: 0 })
    await until(() => client.state() === 'offline')
    const before = seen.events.length
    await pause(300)
    await start({ model: chatty(), folder, port: first.port })
    await until(() => seen.ends() === 1)
    expect(client.state()).toBe('online')
    expect(seen.events.length).toBeGreaterThan(before)
    expect(isGapless(seen.seqs())).toBe(true)
    await client.api.sendMessage(thread.id, { text: 'More', messageId: 'm2' })
    await until(() => seen.ends() === 2)
    expect(isGapless(seen.seqs())).toBe(true)
    const stored = await client.api.events(thread.id, { limit: 1000 })
    expect(seen.events).toEqual(stored.events)
  })

  it('continues without a gap or a repeat after the server was killed', async () => {
    const folder = await createFolder()
    const first = await startProcess(folder)
    const client = connect(first.url, first.token)
    const thread = await client.api.createThread()
    const seen = watch(client, thread.id)
    await client.api.sendMessage(thread.id, { text: 'Talk', messageId: 'm1' })
    await until(() => seen.events.some(({ type }) => type === 'text-delta'))
    await first.kill()
    await until(() => client.state() === 'offline')
    await startProcess(folder, first.port)
    await until(() => seen.ends() === 1)
    expect(isGapless(seen.seqs())).toBe(true)
    expect(seen.events.map(({ type }) => type)).toContain('turn-resume')
    const stored = await client.api.events(thread.id, { limit: 1000 })
    expect(seen.events).toEqual(stored.events)
  })

  it('ends its iterator with an error when the thread belongs to somebody else', async () => {
    const server = await start({ model: new ScriptedModel() })
    const owner = connect(server.url, server.token)
    const thread = await owner.api.createThread()
    const other = createClient({ url: server.url, cookie: await server.logIn('somebody-else') })
    onTestFinished(() => other.close())
    const seen = watch(other, thread.id)
    await expect(other.streamThread(thread.id).next()).rejects.toMatchObject({ code: 'not_found' })
    await expect(other.api.events(thread.id)).rejects.toMatchObject({ code: 'not_found' })
    await until(() => seen.states.includes('unknown'))
    expect(seen.events).toEqual([])
  })

  it('iterates over the events of a thread until the loop is left, or the client is closed', async () => {
    const server = await start({ model: new ScriptedModel(says('Hi.')) })
    const client = connect(server.url, server.token)
    const thread = await client.api.createThread()
    await client.api.sendMessage(thread.id, { text: 'Hello', messageId: 'm1' })
    const types: string[] = []
    for await (const event of client.streamThread(thread.id)) {
      types.push(event.type)
      if (event.type === 'turn-end') break
    }
    expect(types[0]).toBe('turn-start')
    const next = client.streamThread(thread.id, { after: types.length }).next()
    await pause(50)
    client.close()
    expect(await next).toMatchObject({ done: true })
  })

  it('follows a thread by server-sent events when the socket is refused', async () => {
    const folder = await createFolder()
    const server = await start({ model: chatty(), folder })
    const client = connect(await startProxyWithoutSockets(server.url), server.token)
    const thread = await client.api.createThread()
    const seen = watch(client, thread.id)
    await client.api.sendMessage(thread.id, { text: 'Talk', messageId: 'm1' })
    await until(() => seen.states.includes('live'))
    await until(() => seen.ends() === 1)
    expect(client.state()).toBe('offline')
    expect(isGapless(seen.seqs())).toBe(true)
    await server.stop({ graceMs: 0 })
    await until(() => seen.states.at(-1) === 'offline')
    await start({ model: chatty(), folder, port: server.port })
    await client.api.sendMessage(thread.id, { text: 'More', messageId: 'm2' })
    await until(() => seen.ends() === 2)
    expect(isGapless(seen.seqs())).toBe(true)
  })

  it('is signed out when its login ends, and tries nothing more', async () => {
    const server = await start({ model: new ScriptedModel() })
    const client = createClient({ url: server.url, cookie: await server.logIn() })
    onTestFinished(() => client.close())
    const thread = await client.api.createThread()
    const seen = watch(client, thread.id)
    await until(() => seen.states.includes('live'))
    await client.api.logout()
    await until(() => client.state() === 'signed-out')
    expect(seen.states).toContain('signed-out')
    await expect(client.api.me()).rejects.toMatchObject({ code: 'signed_out' })
  })
})
