import { describe, expect, it, vi } from 'vitest'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message.ts'
import { appNotices, connect, ownRequests, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'
const create = (title: string, more: object = {}) => [
  calls(DELEGATE, { toolkit: 'notes', prompt: `Create "${title}".`, ...more }),
  calls('create_page', { title }),
  says('Created.'),
]

async function talk(story: ReturnType<typeof start>) {
  const { id } = await story.threads.create()
  return story.threads.open(id)
}

describe('several accounts of one app', () => {
  it('are chosen among by label or by id, and without a word it is the default', async () => {
    const model = new ScriptedModel(
      ...create('A'),
      ...create('B', { account: 'Team@example.org ' }),
      says('Done.'),
      says('Again.'),
    )
    const story = start(model)
    await connect(story, 'notes', 'ada@example.org')
    await connect(story, 'notes', 'team@example.org')
    await (await talk(story)).send('go')
    expect(story.notes.owners).toEqual(['ada@example.org', 'team@example.org'])
  })

  it('are chosen by the id of the connection, too', async () => {
    const story = start(new ScriptedModel(...create('B', { account: 'connection_team' }), says('Done.')))
    await connect(story, 'notes', 'ada@example.org')
    await story.integrations.connections.begin('local', 'notes', 'connection_team')
    await story.signIn('connection_team', 'team@example.org')
    await (await talk(story)).send('go')
    expect(story.notes.owners).toEqual(['team@example.org'])
  })

  it('that are not there are refused with the labels of those that are', async () => {
    const model = new ScriptedModel(
      calls(DELEGATE, { toolkit: 'notes', prompt: 'x', account: 'eve@example.org' }),
      says('There is none.'),
    )
    const story = start(model)
    await connect(story, 'notes', 'ada@example.org')
    await connect(story, 'notes', 'team@example.org')
    await (await talk(story)).send('go')
    const result = textOf(model.request(1).messages.at(-1)!)
    expect(result).toContain('"ada@example.org"')
    expect(result).toContain('"team@example.org"')
    expect(story.notes.pages).toEqual([])
  })

  it('are named in front of a conversation, and only when there is more than one', async () => {
    const model = new ScriptedModel(says('Hello.'), says('Hello.'))
    const story = start(model)
    await connect(story, 'notes', 'ada@example.org')
    await (await talk(story)).send('hi')
    expect(model.request(0).system).not.toContain('ada@example.org')
    await connect(story, 'notes', 'team@example.org')
    await (await talk(story)).send('hi')
    expect(model.request(1).system).toContain('"ada@example.org" (default), "team@example.org"')
  })

  it('are told once when they come and go, under the same tools', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'), says('5'))
    const story = start(model)
    await connect(story, 'notes', 'ada@example.org')
    const session = await talk(story)
    await session.send('hi')
    const team = await connect(story, 'notes', 'team@example.org')
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toEqual([
      expect.stringContaining('accounts now: "ada@example.org" (default), "team@example.org"'),
    ])
    await story.integrations.connections.disconnect('local', team.id)
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toHaveLength(2)
    expect(appNotices(model)[1]).toContain('only the account "ada@example.org"')
    const tools = ownRequests(model).map((request) => JSON.stringify(request.tools))
    expect(new Set(tools).size).toBe(1)
  })

  it('of which nobody knows the name can be told apart', async () => {
    const story = start(new ScriptedModel())
    await story.integrations.connections.begin('local', 'notes')
    for (const label of ['', '']) await connect(story, 'notes', label)
    const rows = await story.integrations.connections.list('local')
    expect(rows.map(({ label }) => label)).toEqual(['', '', 'account 2'])
  })

  it('of the same name can be told apart', async () => {
    const story = start(new ScriptedModel())
    for (const label of ['ada', 'Ada', 'ada', ' ', '']) await connect(story, 'notes', label)
    await connect(story, 'mail', 'ada')
    const rows = await story.integrations.connections.list('local')
    expect(rows.map(({ label }) => label)).toEqual([
      'ada',
      'Ada (2)',
      'ada (3)',
      'account 4',
      'account 5',
      'ada',
    ])
    // Whoever signs in again to the same one keeps its name.
    await story.integrations.connections.expire(rows[2]!.id, 'x')
    await story.signIn(rows[2]!.id, 'ada')
    expect((await story.integrations.connections.list('local'))[2]!.label).toBe('ada (3)')
  })
})

describe('a sub-agent that waited', () => {
  it('goes on in the account it began in, whatever the default is by then', async () => {
    const story = start(new ScriptedModel(...create('A'), says('Done.')), undefined, { safety: {} })
    await connect(story, 'notes', 'ada')
    const team = await connect(story, 'notes', 'team')
    const turn = (await talk(story)).send('go')
    await story.threads.idle()
    await vi.waitFor(async () => expect(await story.threads.pendingApprovals()).toHaveLength(1))
    const [approval] = await story.threads.pendingApprovals()
    expect(story.events.find(({ type }) => type === 'approval-request')).toMatchObject({
      effect: 'write',
      app: { toolkit: 'notes', name: 'Notes' },
    })
    await story.threads.idle()
    await story.integrations.connections.makeDefault('local', team.id)
    expect(await story.threads.answer(approval!.id, 'allow-once')).toBe('accepted')
    await turn
    expect(story.notes.owners).toEqual(['ada'])
  })
})
