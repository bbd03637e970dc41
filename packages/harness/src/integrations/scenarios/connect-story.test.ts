import { describe, expect, it, vi } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { TestClock } from '../../testing/index.ts'
import { ALLOW_ALL, calls, createTestClock, recordEvents, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import type { RefreshFailure } from '../refresh-counts.ts'
import { VISITOR, connect, start } from './notes-connector.fixture.ts'

type World = ReturnType<typeof start>

const ask = () => calls('connect_app', { toolkit: 'notes' })
const create = () =>
  calls('call_action', { toolkit: 'notes', action: 'create_page', arguments: { title: 'Tea' } })
const lastResult = (model: ScriptedModel) =>
  textOf(model.request(model.requests - 1).messages.findLast(({ role }) => role === 'tool')!)

async function talk({ threads }: World) {
  const { id } = await threads.create()
  return threads.open(id)
}

/** Lets this much time pass in small steps, and everything that is due happen in between. */
async function pass(ms: number, clock: TestClock): Promise<void> {
  for (let left = ms; left > 0; left -= 250) {
    await clock.advance(250)
    for (let n = 0; n < 20; n++) await new Promise(setImmediate)
  }
}

/** A turn that is parked because Notes must be connected. */
async function startParked(model: ScriptedModel, clock = createTestClock()) {
  const world = start(model, createMemoryStore(), { clock })
  const session = await talk(world)
  const turn = session.send('Save it.')
  const card = await world.asked
  await world.threads.idle()
  return { world, session, turn, card, clock }
}

const rows = async ({ integrations }: World) =>
  (await integrations.connections.list('local')).map(({ status }) => status)

describe('a turn that waits for a sign-in', () => {
  it('goes on within 5 s when the service knows and the callback was lost', async () => {
    const { world, turn, clock } = await startParked(new ScriptedModel(ask(), create(), says('Saved.')))
    await pass(60_000, clock)
    world.notes.says({ status: 'active', label: 'ada@example.org' })
    await pass(5_000, clock)
    expect(await turn).toMatchObject({ type: 'done', text: 'Saved.' })
    expect(world.notes.pages).toEqual(['Tea'])
  })

  it('goes on within 5 s when the app was connected in another client, and leaves no card', async () => {
    const { world, turn, clock } = await startParked(new ScriptedModel(ask(), create(), says('Saved.')))
    await pass(10_000, clock)
    world.notes.connectElsewhere({ status: 'active', label: 'ada@example.org' })
    await pass(5_000, clock)
    expect(await turn).toMatchObject({ type: 'done', text: 'Saved.' })
    expect(await rows(world)).toEqual(['active'])
    expect(world.notes.owners).toEqual(['ada@example.org'])
  })

  it('shares one sign-in with a turn in another tab, and both go on', async () => {
    const model = new ScriptedModel(ask(), ask(), says('Go.'), says('Go.'))
    const { world, turn, card } = await startParked(model)
    const other = (await talk(world)).send('Me too.')
    await world.threads.idle()
    const cards = world.events.filter((event) => event.type === 'connection-request')
    expect(cards.map(({ connectionId }) => connectionId)).toEqual([card.connectionId, card.connectionId])
    expect(await rows(world)).toEqual(['pending'])
    await world.signIn(card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'Go.' })
    expect(await other).toMatchObject({ type: 'done', text: 'Go.' })
    expect(await rows(world)).toEqual(['active'])
  })

  it('goes on within 5 s when the service activates the account long after the callback', async () => {
    const { world, turn, card, clock } = await startParked(new ScriptedModel(ask(), create(), says('Saved.')))
    await world.signIn(card.connectionId, 'slow')
    await pass(90_000, clock)
    expect(await rows(world)).toEqual(['pending'])
    world.notes.says({ status: 'active' })
    await pass(5_000, clock)
    expect(await turn).toMatchObject({ type: 'done', text: 'Saved.' })
  })

  it('says why within 5 s when the service says no', async () => {
    const model = new ScriptedModel(ask(), says('It was refused.'))
    const { world, turn, clock } = await startParked(model)
    world.notes.says({ status: 'failed', reason: 'Your organisation does not allow it.' })
    await pass(5_000, clock)
    expect(await turn).toMatchObject({ type: 'done', text: 'It was refused.' })
    expect(lastResult(model)).toContain('Your organisation does not allow it.')
  })

  it('keeps waiting when a link has expired or the service cannot be asked, and reports that once', async () => {
    const failures: RefreshFailure[] = []
    const clock = createTestClock()
    const world = start(new ScriptedModel(ask(), says('Saved.')), createMemoryStore(), {
      clock,
      onRefreshFailure: (failure) => failures.push(failure),
    })
    const turn = (await talk(world)).send('Save it.')
    await world.asked
    await world.threads.idle()
    world.notes.says({ status: 'expired' })
    await pass(10_000, clock)
    world.notes.says(new Error('away'))
    await pass(20_000, clock)
    expect(await rows(world)).toEqual(['pending'])
    expect(failures).toEqual([{ what: 'connection', userId: 'local', source: 'fake', toolkit: 'notes' }])
    expect(world.integrations.counts().checkFailures).toBe(1)
    world.notes.says({ status: 'active' })
    await pass(5_000, clock)
    expect(await turn).toMatchObject({ type: 'done' })
  })

  it('is noticed after a restart as well', async () => {
    const store = createMemoryStore()
    const first = start(new ScriptedModel(ask()), store, { clock: createTestClock() })
    await (await talk(first)).submit('go')
    await first.asked
    await first.threads.idle()
    await first.threads.stop()
    await first.integrations.close()
    const clock = createTestClock()
    const second = start(new ScriptedModel(says('Go.')), store, { clock })
    expect(await second.threads.resume()).toEqual({ running: 0, waiting: 1 })
    second.notes.says({ status: 'active' })
    await pass(5_000, clock)
    await second.ended
    expect(second.events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { text: 'Go.' } })
  })

  it('asks the service less often the longer it takes, and not at all after the end', async () => {
    const { world, card, turn, clock } = await startParked(new ScriptedModel(ask(), says('Go.')))
    await pass(60_000, clock)
    expect(world.notes.checks()).toBeLessThan(20)
    await world.signIn(card.connectionId)
    await turn
    const before = world.notes.checks()
    await pass(30_000, clock)
    expect(world.notes.checks()).toBe(before)
  })

  it('accepts a callback that comes after the service was asked', async () => {
    const { world, card, turn, clock } = await startParked(new ScriptedModel(ask(), says('Go.')))
    const { connections } = world.integrations
    const step = await connections.signIn(card.connectionId, VISITOR)
    world.notes.says({ status: 'active' })
    await pass(5_000, clock)
    await turn
    const state = new URL((step as { url: string }).url).searchParams.get('state')!
    const answer = await connections.finish(new URLSearchParams({ state, code: 'ada' }), VISITOR)
    expect(answer).toMatchObject({ type: 'settled', connection: { status: 'active' } })
  })
})

describe('a session without a store that waits for a sign-in', () => {
  it('accepts a callback while another node settles what it asked the service', async () => {
    const store = createMemoryStore()
    const world = start(new ScriptedModel(), store)
    const { id } = (await world.integrations.connections.begin('local', 'notes'))!
    vi.spyOn(world.notes.connector, 'finishSignIn').mockImplementation(async () => {
      await store.connections.change(id, { status: 'active', updatedAt: Date.now() }, ['pending'])
      return { status: 'active', label: 'ada' }
    })
    expect(await world.signIn(id, 'ada')).toMatchObject({
      type: 'settled',
      connection: { id, status: 'active', label: 'ada' },
    })
  })

  it('goes on when the app is connected through another row, and leaves no card', async () => {
    const model = new ScriptedModel(ask(), says('Go.'))
    const world = start(new ScriptedModel())
    const events = recordEvents()
    const session = createSession({
      model,
      origin: 'web',
      safety: ALLOW_ALL,
      onEvent: events.onEvent,
      ...world.integrations.forUser('local'),
    })
    const turn = session.send('go')
    await events.next('connection-request')
    const other = await world.integrations.connections.begin('local', 'notes', 'connection_other')
    await world.signIn(other!.id)
    expect(await turn).toMatchObject({ type: 'done', text: 'Go.' })
    expect(lastResult(model)).toContain('Notes is connected')
    expect(await rows(world)).toEqual(['active'])
  })
})

describe.each(['constant', 'live-enum'] as const)('in %s mode, a delegation', (mode) => {
  const delegate = () =>
    calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' })
  const steps = () => [delegate(), calls('create_page', { title: 'Tea' }), says('Created.'), says('Done.')]

  async function run(prepare: (world: World) => Promise<unknown>, model = new ScriptedModel(...steps())) {
    const world = start(model, createMemoryStore(), { mode })
    const session = await talk(world)
    await session.load()
    await prepare(world)
    await session.send('go')
    return world
  }

  it('goes on when the row is expired here and good at the service', async () => {
    const world = await run(async (started) => {
      const { id } = await connect(started, 'notes')
      await started.integrations.connections.expire(id, 'It is over.')
      started.notes.says({ status: 'active' })
    })
    expect(world.notes.pages).toEqual(['Tea'])
  })

  it('goes on when the row is pending here and active at the service', async () => {
    const world = await run(async ({ integrations, notes }) => {
      await integrations.connections.begin('local', 'notes')
      notes.says({ status: 'active' })
    })
    expect(world.notes.pages).toEqual(['Tea'])
  })

  it('goes on when there is no row here and an account at the service', async () => {
    const world = await run(async ({ notes }) => notes.connectElsewhere({ status: 'active' }))
    expect(world.notes.pages).toEqual(['Tea'])
  })

  it('is not refused because of a list of apps that is out of date', async () => {
    const world = await run(async (started) => {
      await connect(started, 'mail')
      started.notes.connectElsewhere({ status: 'active' })
    })
    expect(world.notes.pages).toEqual(['Tea'])
  })

  it('is refused after the service was asked once', async () => {
    const model = new ScriptedModel(delegate(), says('Not connected.'))
    const world = await run(
      ({ integrations }) => integrations.connections.begin('local', 'notes').then(() => {}),
      model,
    )
    expect(world.notes.checks()).toBe(1)
    expect(lastResult(model)).toContain('is being connected')
  })
})
