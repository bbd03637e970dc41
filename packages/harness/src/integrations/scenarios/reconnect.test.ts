import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message.ts'
import { connect, start } from './notes-connector.fixture.ts'

const delegate = () => calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create "Tea".' })
const create = () => calls('create_page', { title: 'Tea' })
const ask = () => calls('connect_app', { toolkit: 'notes' })

async function talk(story: ReturnType<typeof start>) {
  const { id } = await story.threads.create()
  return story.threads.open(id)
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
    const story = start(model)
    const { id } = await connect(story, 'notes')
    story.notes.spoil()
    const turn = (await talk(story)).send('go')
    expect(await story.asked).toMatchObject({ connectionId: id })
    await story.threads.idle()
    expect(failures(story).slice(0, 2)).toEqual(['bad_credentials', undefined])
    expect(await statuses(story)).toEqual([[id, 'pending']])
    story.notes.mend()
    await story.signIn(id)
    expect(await turn).toMatchObject({ type: 'done', text: 'Done.' })
    expect(story.notes.pages).toEqual(['Tea'])
    expect(await statuses(story)).toEqual([[id, 'active']])
    expect(cards(story)).toEqual([id])
  })

  it('is not asked for a second time when the person says no', async () => {
    const model = new ScriptedModel(ask(), says('Then not.'))
    const story = start(model)
    const { id } = await connect(story, 'notes')
    await story.integrations.connections.expire(id, 'It is over.')
    const turn = (await talk(story)).send('go')
    await story.asked
    await story.threads.idle()
    await story.signIn(id, 'bad')
    expect(await turn).toMatchObject({ type: 'done', text: 'Then not.' })
    expect(lastResult(model)).toContain('could not be connected. You said no.')
    expect(cards(story)).toEqual([id])
  })

  it('is found out when its actions are listed, too', async () => {
    const model = new ScriptedModel(delegate(), says('Please connect Notes again.'))
    const story = start(model)
    const { id } = await connect(story, 'notes')
    story.notes.hideActions(Object.assign(new Error('notes: unauthorised'), { status: 401 }))
    await (await talk(story)).send('go')
    expect(failures(story)).toEqual(['bad_credentials'])
    expect(await statuses(story)).toEqual([[id, 'expired']])
    expect(lastResult(model)).toContain('connect_app')
    expect(story.integrations.counts()).toMatchObject({ actionLists: 1, actionListFailures: 0 })
  })
})

describe('a card that is waved away', () => {
  it('lets the turn go on with that', async () => {
    const model = new ScriptedModel(ask(), says('As you like.'))
    const story = start(model)
    const turn = (await talk(story)).send('go')
    const card = await story.asked
    await story.threads.idle()
    await story.integrations.connections.disconnect('local', card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'As you like.' })
    expect(lastResult(model)).toContain('does not want to connect Notes')
    expect(cards(story)).toHaveLength(1)
  })
})

describe('an action that is not there', () => {
  it.each([404, 410])('leaves the connection as it is (%i)', async (httpStatus) => {
    const model = new ScriptedModel(delegate(), create(), says('There is none.'), says('Sorry.'))
    const story = start(model)
    const { id } = await connect(story, 'notes')
    story.notes.refuse({ text: 'no such action', httpStatus })
    await (await talk(story)).send('go')
    expect(failures(story)[0]).toBe('not_found')
    expect(await statuses(story)).toEqual([[id, 'active']])
    const [end] = story.events.filter((event) => event.type === 'tool-end')
    expect(JSON.stringify(end)).not.toMatch(/reconnect|sign in again/i)
  })
})

describe('an app that was connected elsewhere', () => {
  it('lets the turn go on that waits for it, and leaves no card behind', async () => {
    const story = start(new ScriptedModel(ask(), says('I see.')))
    const turn = (await talk(story)).send('go')
    await story.asked
    await story.threads.idle()
    const { id } = await connect(story, 'notes')
    expect(await turn).toMatchObject({ type: 'done', text: 'I see.' })
    expect(await statuses(story)).toEqual([[id, 'active']])
  })

  it('lets it go on after a restart, too', async () => {
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

  it('does not let a turn go on that waits for another app', async () => {
    const story = start(new ScriptedModel(ask(), says('I see.')))
    const turn = (await talk(story)).send('go')
    const card = await story.asked
    await story.threads.idle()
    await connect(story, 'mail')
    await story.threads.idle()
    expect(await story.integrations.connections.get('local', card.connectionId)).toMatchObject({
      status: 'pending',
    })
    await story.signIn(card.connectionId)
    expect(await turn).toMatchObject({ type: 'done', text: 'I see.' })
  })
})
