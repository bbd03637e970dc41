import { describe, expect, it } from 'vitest'
import type { BusEvent } from '../../ports/event-bus.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message.ts'
import { appNotices, connect, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'
const delegate = () => calls(DELEGATE, { toolkit: 'notes', prompt: 'Tidy up.' })

async function talk(story: ReturnType<typeof start>) {
  const { id } = await story.threads.create()
  return story.threads.open(id)
}
const failures = (story: ReturnType<typeof start>) =>
  story.events.filter((event) => event.type === 'tool-end').map(({ failure }) => failure?.class)

describe('what the user allows in an app', () => {
  it('is taken back for the next call of a sub-agent that is running', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      calls('create_page', { title: 'B' }),
      says('Only A.'),
      says('Done.'),
    )
    const story = start(model)
    await connect(story, 'notes')
    const { connections } = story.integrations
    story.notes.whenExecuting(() =>
      connections.setScopes('local', 'notes', { read: true, write: false, admin: false }),
    )
    expect(await (await talk(story)).send('go')).toMatchObject({ type: 'done' })
    expect(story.notes.pages).toEqual(['A'])
    const notices = model.request(2).messages.filter(({ role }) => role === 'notice')
    expect(notices.map(textOf)).toEqual(['The tool "create_page" is no longer available. Do not call it.'])
    expect(model.request(2).tools).toEqual(model.request(1).tools)
  })

  it('is asked once more when a call was on its way while it was taken back', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      says('No.'),
      says('Done.'),
    )
    const story = start(model)
    await connect(story, 'notes')
    const { connections } = story.integrations
    const session = await talk(story)
    story.whenEvent(async (event) => {
      if (event.type !== 'tool-start' || event.tool !== 'create_page') return
      await connections.setScopes('local', 'notes', { read: true, write: false, admin: false })
    })
    await session.send('go')
    expect(story.notes.pages).toEqual([])
    expect(failures(story)).toContain('blocked_by_policy')
  })

  it('is given for the next call of a sub-agent that is running', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      calls('call_tool', { name: 'delete_pages', arguments: {} }),
      says('All gone.'),
      says('Done.'),
    )
    const story = start(model)
    await connect(story, 'notes')
    const { connections } = story.integrations
    story.notes.whenExecuting(() =>
      connections.setScopes('local', 'notes', { read: true, write: true, admin: true }),
    )
    await (await talk(story)).send('go')
    expect(textOf(model.request(1).messages[0]!)).toContain('delete_pages (needs admin)')
    expect(textOf(model.request(2).messages.at(-1)!)).toContain('"delete_pages" is available from now on')
    expect(story.notes.pages).toEqual([])
    expect(failures(story)).toEqual([undefined, undefined, undefined])
  })

  it('holds for the next sub-agent, and everybody hears of it', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      says('I may not.'),
      says('Done.'),
    )
    const story = start(model)
    await connect(story, 'notes')
    const heard: BusEvent[] = []
    story.integrations.bus.subscribe((event) => heard.push(event))
    const scopes = { read: true, write: false, admin: false }
    await story.integrations.connections.setScopes('local', 'notes', scopes)
    expect(heard).toEqual([{ type: 'scopes-changed', userId: 'local', toolkit: 'notes', scopes }])
    await (await talk(story)).send('go')
    expect(textOf(model.request(1).messages[0]!)).toContain('create_page (needs write)')
    expect(story.notes.pages).toEqual([])
  })
})

describe('the default account', () => {
  it('is whichever the user makes it, from the next sub-agent on, and the conversation is told', async () => {
    const model = new ScriptedModel(
      says('Hello.'),
      delegate(),
      calls('create_page', { title: 'A' }),
      says('Created.'),
      says('Done.'),
    )
    const story = start(model)
    await connect(story, 'notes', 'ada')
    const team = await connect(story, 'notes', 'team')
    const session = await talk(story)
    await session.send('hi')
    const heard: BusEvent[] = []
    story.integrations.bus.subscribe((event) => heard.push(event))
    const { connections } = story.integrations
    expect(await connections.makeDefault('somebody else', team.id)).toBe(false)
    expect(await connections.makeDefault('local', 'connection_unknown')).toBe(false)
    expect(heard).toEqual([])
    expect(await connections.makeDefault('local', team.id)).toBe(true)
    expect(heard).toMatchObject([
      { type: 'connections-changed', connection: { id: team.id, isDefault: true } },
    ])
    await session.send('go')
    expect(story.notes.owners).toEqual(['team'])
    expect(appNotices(model)).toEqual([expect.stringContaining('"team" (default), "ada"')])
  })
})
