import { describe, expect, it } from 'vitest'
import type { ConnectionRow } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, createTestClock, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { VISITOR, appNotices, connect, ownRequests, start } from './notes-connector.fixture.ts'

const DAY_MS = 24 * 60 * 60 * 1000

describe('an app that is connected in the middle of a turn', () => {
  it('is used by that same turn, under the same prompt and tools, and is announced once', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page "Tea".' }),
      calls('connect_app', { toolkit: 'notes' }),
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create a page "Tea".' }),
      calls('create_page', { title: 'Tea' }),
      says('Created.'),
      says('Your page is in Notes.'),
    )
    const world = start(model)
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    const turn = session.send('Save "Tea" to Notes.')
    const card = await world.asked
    expect(card).toMatchObject({ toolkit: 'notes', name: 'Notes' })
    await world.threads.idle()
    expect(session.state).toBe('parked')
    expect(await world.signIn(card.connectionId)).toMatchObject({
      type: 'settled',
      connection: { status: 'active' },
    })
    expect(await turn).toMatchObject({ type: 'done', text: 'Your page is in Notes.' })
    expect(world.notes.pages).toEqual(['Tea'])

    const requests = ownRequests(model)
    expect(requests).toHaveLength(4)
    for (const [n, request] of requests.entries()) {
      expect(request.system).toBe(requests[0]!.system)
      expect(request.tools.map(({ name, input }) => [name, input])).toEqual(
        requests[0]!.tools.map(({ name, input }) => [name, input]),
      )
      const before = requests[n - 1]?.messages ?? []
      expect(request.messages.slice(0, before.length)).toEqual(before)
    }
    expect(appNotices(model).filter((text) => text.includes('Notes is connected now'))).toHaveLength(1)
    expect(world.events.filter(({ type }) => type === 'prefix-break')).toEqual([])
    const started = world.events.filter((event) => event.type === 'tool-start')
    expect(started.map(({ label, app }) => [label, app?.name])).toEqual([
      ['Ask Notes', 'Notes'],
      ['Connect Notes', 'Notes'],
      ['Connect Notes', 'Notes'], // the same call, resumed after the wait
      ['Ask Notes', 'Notes'],
      ['Notes: create page', 'Notes'],
    ])
  })

  it('is usable at the next model call when it is connected elsewhere while a tool runs', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_integrations_agent', { toolkit: 'mail', prompt: 'x' }),
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' }),
      calls('create_page', { title: 'Tea' }),
      says('Created.'),
      says('Done.'),
    )
    const world = start(model)
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    await session.load()
    await connect(world, 'notes')
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    expect(world.notes.pages).toEqual(['Tea'])
    expect(appNotices(model)).toEqual([expect.stringContaining('Notes is connected now')])
  })

  it('is announced once as no longer connected when it is disconnected', async () => {
    const model = new ScriptedModel(says('Hello.'), says('Bye.'), says('Still here.'))
    const world = start(model)
    const connection = await connect(world, 'notes')
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    await session.send('hi')
    expect(model.request(0).system).toContain('- notes: Notes. Pages.')
    expect(await world.integrations.connections.disconnect('local', connection.id)).toBe(true)
    await session.send('bye')
    await session.send('and?')
    expect(appNotices(model)).toEqual(['The app Notes (toolkit "notes") is no longer connected.'])
    expect(world.events.filter((event) => event.type === 'notice-add')).toMatchObject([
      { fact: { kind: 'app-disconnected', name: 'Notes', slug: 'notes' } },
    ])
  })

  it('is announced once after a restart when it was connected in the meantime', async () => {
    const model = new ScriptedModel(says('Hello.'), says('I see.'), says('Yes.'))
    const world = start(model)
    const { id } = await world.threads.create()
    await (await world.threads.open(id)).send('hi')
    await connect(world, 'notes')
    // As a new process would: nothing of the thread is in memory.
    const session = await world.threads.open(id)
    session.abandon()
    await session.send('now?')
    session.abandon()
    await session.send('and now?')
    expect(appNotices(model)).toHaveLength(1)
    const fact = { kind: 'app-connected', name: 'Notes', slug: 'notes' }
    // Also in the message, which was read back from the ledger.
    expect(model.request(2).messages.filter(({ role }) => role === 'notice')).toMatchObject([{ fact }])
    expect(world.events.filter((event) => event.type === 'notice-add')).toMatchObject([{ fact }])
  })
})

const REFUSED = { type: 'refused' }

describe('a sign-in', () => {
  const accepted = async (
    world: ReturnType<typeof start>,
    connection: ConnectionRow,
    ...tries: Promise<unknown>[]
  ) => {
    const answers = await Promise.all(tries)
    const now = (await world.integrations.connections.list('local')).find(({ id }) => id === connection.id)
    return { answers, status: now?.status }
  }

  it('is refused with a wrong, missing, stolen, replayed or expired state, and changes nothing', async () => {
    const world = start(new ScriptedModel())
    const { connections } = world.integrations
    const connection = (await connections.begin('local', 'notes'))!
    const step = await connections.signIn(connection.id, VISITOR)
    const state = step.type === 'visit' ? new URL(step.url).searchParams.get('state')! : ''
    const come = (params: Record<string, string>, who = VISITOR) =>
      connections.finish(new URLSearchParams({ code: 'good', ...params }), who)
    const wrong = await accepted(
      world,
      connection,
      come({ state: `${state}x` }),
      come({}),
      come({ state: '' }),
    )
    expect(wrong).toEqual({ answers: [REFUSED, REFUSED, REFUSED], status: 'pending' })
    expect(await come({ state }, { ...VISITOR, browserId: 'another' })).toEqual({ type: 'refused' })
    // It was shown by the wrong browser, so it is spent.
    expect(await come({ state })).toEqual({ type: 'refused' })
    await world.signIn(connection.id)
    expect(await come({ state: world.notes.states.at(-1)! })).toEqual({ type: 'refused' })
  })

  it('that was finished while no process ran is noticed at the next start', async () => {
    const store = createMemoryStore()
    const first = start(new ScriptedModel(calls('connect_app', { toolkit: 'notes' })), store)
    const { id } = await first.threads.create()
    await (await first.threads.open(id)).submit('Connect Notes.')
    const card = await first.asked
    await first.threads.idle()
    await first.threads.stop()
    await first.signIn(card.connectionId)

    const second = start(new ScriptedModel(says('Connected.')), store)
    expect(await second.threads.resume()).toEqual({ running: 1, waiting: 0 })
    await second.threads.idle()
    const [run] = await store.runs.list({ userId: 'local' })
    expect(run?.outcome).toMatchObject({ type: 'done', text: 'Connected.' })
  })

  it('that is not finished within a day ends the wait, and may still be finished later', async () => {
    const clock = createTestClock()
    const model = new ScriptedModel(
      calls('connect_app', { toolkit: 'notes' }),
      says('Nobody came.'),
      says('Now it is.'),
    )
    const world = start(model, createMemoryStore(), { clock })
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    const turn = session.send('Save it.')
    const card = await world.asked
    await world.threads.idle()
    await clock.advance(DAY_MS - 1)
    expect(model.requests).toBe(1)
    await clock.advance(1)
    expect(await turn).toMatchObject({ type: 'done', text: 'Nobody came.' })
    expect(textOf(model.request(1).messages.at(-1)!)).toContain('Nobody has signed in')
    const [row] = await world.integrations.connections.list('local')
    expect(row).toMatchObject({ id: card.connectionId, status: 'failed' })

    await world.signIn(card.connectionId)
    await session.send('And now?')
    expect(appNotices(model)).toEqual([expect.stringContaining('Notes is connected now')])
  })

  it('that is not finished is given up after a restart, too', async () => {
    const clock = createTestClock()
    const store = createMemoryStore()
    const first = start(new ScriptedModel(calls('connect_app', { toolkit: 'notes' })), store, { clock })
    const { id } = await first.threads.create()
    await (await first.threads.open(id)).submit('Connect Notes.')
    await first.asked
    await first.threads.idle()
    await first.threads.stop()
    await first.integrations.close()
    await clock.advance(2 * DAY_MS)
    expect(await store.connections.pending()).toHaveLength(1)

    const second = start(new ScriptedModel(says('Nobody came.')), store, { clock })
    await second.threads.resume()
    await second.ended
    const [run] = await store.runs.list({ userId: 'local' })
    expect(run?.outcome).toMatchObject({ type: 'done', text: 'Nobody came.' })
    expect(await store.connections.pending()).toEqual([])
  })

  it('that was just begun gets the full time, however old its card is', async () => {
    const clock = createTestClock()
    const world = start(new ScriptedModel(), createMemoryStore(), { clock })
    const { connections } = world.integrations
    const connection = (await connections.begin('local', 'notes'))!
    await clock.advance(DAY_MS - 1)
    const step = await connections.signIn(connection.id, VISITOR)
    await clock.advance(60_000)
    const state = new URL(step.type === 'visit' ? step.url : '').searchParams.get('state')!
    expect(await connections.finish(new URLSearchParams({ state, code: 'good' }), VISITOR)).toMatchObject({
      type: 'settled',
      connection: { status: 'active' },
    })
  })

  it('that the person declines fails the connection with a reason code, and the turn resumes', async () => {
    const model = new ScriptedModel(calls('connect_app', { toolkit: 'notes' }), says('You said no.'))
    const world = start(model)
    const { id } = await world.threads.create()
    const turn = (await world.threads.open(id)).send('Save it.')
    const card = await world.asked
    await world.threads.idle()
    await world.signIn(card.connectionId, 'bad')
    expect(await turn).toMatchObject({ type: 'done', text: 'You said no.' })
    const result = model.request(1).messages.findLast(({ role }) => role === 'tool')
    expect(textOf(result!)).toContain('could not be connected. You said no.')
    const [row] = await world.integrations.connections.list('local')
    expect(row).toMatchObject({ status: 'failed', reasonCode: 'declined' })
    const ends = world.events.filter((event) => event.type === 'tool-end')
    expect(ends.at(-1)).toMatchObject({ failure: { class: 'denied_by_user' } })
    // The next attempt begins without it.
    await world.integrations.connections.signIn(row!.id, VISITOR)
    expect((await world.integrations.connections.list('local'))[0]).not.toHaveProperty('reasonCode')
  })

  it('that is no longer good marks the connection as expired, and the failure says so', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' }),
      calls('create_page', { title: 'Tea' }),
      says('It failed.'),
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' }),
      says('Please reconnect Notes.'),
    )
    const world = start(model)
    const connection = await connect(world, 'notes')
    world.notes.spoil()
    const { id } = await world.threads.create()
    const session = await world.threads.open(id)
    await session.send('go')
    const failed = world.events
      .filter((event) => event.type === 'tool-end')
      .map(({ failure }) => failure?.class)
    expect(failed).toEqual(['bad_credentials', 'bad_credentials', 'bad_credentials'])
    const [row] = await world.integrations.connections.list('local')
    expect(row).toMatchObject({ id: connection.id, status: 'expired', reasonCode: 'expired' })
    world.notes.mend()
    await world.signIn(connection.id)
    expect((await world.integrations.connections.list('local'))[0]!.status).toBe('active')
    expect((await world.threads.get(id))?.id).toBe(id)
  })
})
