import { describe, expect, it } from 'vitest'
import { createMemoryLocks } from '../../ports/memory/memory-locks.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { connect, start } from './notes-connector.fixture.ts'

const delegate = () => calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' })
const create = () => calls('create_page', { title: 'Tea' })
const ask = () => calls('connect_app', { toolkit: 'notes' })

async function talk(world: ReturnType<typeof start>) {
  const { id } = await world.threads.create()
  return world.threads.open(id)
}
const cards = ({ events }: ReturnType<typeof start>) =>
  events.filter((event) => event.type === 'connection-request').map(({ connectionId }) => connectionId)
const failures = ({ events }: ReturnType<typeof start>) =>
  events.filter((event) => event.type === 'tool-end').map(({ failure }) => failure?.class)
const lastResult = (model: ScriptedModel) =>
  textOf(model.request(1).messages.findLast(({ role }) => role === 'tool')!)
const statuses = async ({ integrations }: ReturnType<typeof start>) =>
  (await integrations.connections.list('local')).map(({ id, status }) => [id, status])

describe('an app whose sign-in is no longer good', () => {
  it('is connected again under the same id, and the same turn goes on', async () => {
    const model = new ScriptedModel(
      delegate(),
      create(),
      says('It was refused.'),
      ask(),
      delegate(),
      create(),
      says('Created.'),
      says('Done.'),
    )
    const world = start(model)
    const { id } = await connect(world, 'notes')
    world.notes.spoil()
    const turn = (await talk(world)).send('Create a page "Tea" in Notes.')
    expect(await world.asked).toMatchObject({ connectionId: id })
    await world.threads.idle()
    expect(failures(world).slice(0, 2)).toEqual(['bad_credentials', 'bad_credentials'])
    expect(await statuses(world)).toEqual([[id, 'pending']])
    world.notes.mend()
    await world.signIn(id)
    expect(await turn).toMatchObject({ type: 'done', text: 'Done.' })
    expect(world.notes.pages).toEqual(['Tea'])
    expect(await statuses(world)).toEqual([[id, 'active']])
    expect(cards(world)).toEqual([id])
  })

  it('is not requested again when the person declines', async () => {
    const model = new ScriptedModel(ask(), says('Then not.'))
    const world = start(model)
    const { id } = await connect(world, 'notes')
    await world.integrations.connections.expire(id, 'It is over.')
    const turn = (await talk(world)).send('go')
    await world.asked
    await world.threads.idle()
    await world.signIn(id, 'bad')
    expect(await turn).toMatchObject({ type: 'done', text: 'Then not.' })
    expect(lastResult(model)).toContain('could not be connected. You said no.')
    expect(cards(world)).toEqual([id])
  })

  it('is also detected when its actions are listed', async () => {
    const model = new ScriptedModel(delegate(), says('Please connect Notes again.'))
    const world = start(model)
    const { id } = await connect(world, 'notes')
    world.notes.hideActions(Object.assign(new Error('notes: unauthorised'), { status: 401 }))
    await (await talk(world)).send('go')
    expect(failures(world)).toEqual(['bad_credentials'])
    expect(await statuses(world)).toEqual([[id, 'expired']])
    expect(lastResult(model)).toContain('connect_app')
    expect(world.integrations.counts()).toMatchObject({ actionLists: 1, actionListFailures: 0 })
  })
})

describe('a connect card that is dismissed', () => {
  it('resumes the turn with a refusal', async () => {
    const model = new ScriptedModel(ask(), says('As you like.'))
    const world = start(model)
    const turn = (await talk(world)).send('go')
    const card = await world.asked
    await world.threads.idle()
    await world.integrations.connections.disconnect('local', card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'As you like.' })
    expect(lastResult(model)).toContain('does not want to connect Notes')
    expect(cards(world)).toHaveLength(1)
  })
})

describe('an action that does not exist', () => {
  it.each([404, 410])('leaves the connection unchanged (%i)', async (httpStatus) => {
    const model = new ScriptedModel(delegate(), create(), says('There is none.'), says('Sorry.'))
    const world = start(model)
    const { id } = await connect(world, 'notes')
    world.notes.refuse({ text: 'no such action', httpStatus })
    await (await talk(world)).send('go')
    expect(failures(world)[0]).toBe('not_found')
    expect(await statuses(world)).toEqual([[id, 'active']])
    const [end] = world.events.filter((event) => event.type === 'tool-end')
    expect(JSON.stringify(end)).not.toMatch(/reconnect|sign in again/i)
  })
})

describe('an app that was connected elsewhere', () => {
  it('resumes the turn that waits for it, and leaves no card', async () => {
    const world = start(new ScriptedModel(ask(), says('I see.')))
    const turn = (await talk(world)).send('go')
    await world.asked
    await world.threads.idle()
    const { id } = await connect(world, 'notes')
    expect(await turn).toMatchObject({ type: 'done', text: 'I see.' })
    expect(await statuses(world)).toEqual([[id, 'active']])
  })

  it('becomes one connection when two nodes find it at the same time', async () => {
    const store = createMemoryStore()
    const locks = createMemoryLocks()
    const nodes = [1, 2].map(() => start(new ScriptedModel(), store, { locks }))
    for (const { notes } of nodes) notes.connectElsewhere({ status: 'active', label: 'ada' })
    const found = nodes.map(({ integrations }) =>
      integrations.connections.findLive('local', { slug: 'notes', connector: 'fake' }),
    )
    expect(await Promise.all(found)).toEqual([true, true])
    expect(await store.connections.list('local')).toMatchObject([{ status: 'active', label: 'ada' }])
  })

  it('resumes the turn after a restart, too', async () => {
    const store = createMemoryStore()
    const first = start(new ScriptedModel(ask()), store)
    await (await talk(first)).submit('go')
    await first.asked
    await first.threads.idle()
    await first.threads.stop()
    await connect(first, 'notes')
    const second = start(new ScriptedModel(says('I see.')), store)
    expect(await second.threads.resume()).toEqual({ running: 1, waiting: 0 })
    await second.ended
    const [run] = await store.runs.list({ userId: 'local' })
    expect(run?.outcome).toMatchObject({ type: 'done', text: 'I see.' })
  })

  it('does not resume a turn that waits for another app', async () => {
    const world = start(new ScriptedModel(ask(), says('I see.')))
    const turn = (await talk(world)).send('go')
    const card = await world.asked
    await world.threads.idle()
    await connect(world, 'mail')
    await world.threads.idle()
    expect(await world.integrations.connections.get('local', card.connectionId)).toMatchObject({
      status: 'pending',
    })
    await world.signIn(card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'I see.' })
  })
})
