import { describe, expect, it, vi } from 'vitest'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { appNotices, connect, ownRequests, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'
const create = (title: string, more: object = {}) => [
  calls(DELEGATE, { toolkit: 'notes', prompt: `Create "${title}".`, ...more }),
  calls('create_page', { title }),
  says('Created.'),
]

async function talk(world: ReturnType<typeof start>) {
  const { id } = await world.threads.create()
  return world.threads.open(id)
}

describe('several accounts of one app', () => {
  it('are chosen by label or id, and the default is used when none is named', async () => {
    const model = new ScriptedModel(
      ...create('A'),
      ...create('B', { account: 'Team@example.org ' }),
      says('Done.'),
      says('Again.'),
    )
    const world = start(model)
    await connect(world, 'notes', 'ada@example.org')
    await connect(world, 'notes', 'team@example.org')
    await (await talk(world)).send('Create the pages A, B, C and D in Notes.')
    expect(world.notes.owners).toEqual(['ada@example.org', 'team@example.org'])
  })

  it('are chosen by the id of the connection, too', async () => {
    const world = start(new ScriptedModel(...create('B', { account: 'connection_team' }), says('Done.')))
    await connect(world, 'notes', 'ada@example.org')
    await world.integrations.connections.begin('local', 'notes', 'connection_team')
    await world.signIn('connection_team', 'team@example.org')
    await (await talk(world)).send('Create the pages A, B, C and D in Notes.')
    expect(world.notes.owners).toEqual(['team@example.org'])
  })

  it('that do not exist are refused, and the refusal lists those that do', async () => {
    const model = new ScriptedModel(
      calls(DELEGATE, { toolkit: 'notes', prompt: 'x', account: 'eve@example.org' }),
      says('There is none.'),
    )
    const world = start(model)
    await connect(world, 'notes', 'ada@example.org')
    await connect(world, 'notes', 'team@example.org')
    await (await talk(world)).send('Create the pages A, B, C and D in Notes.')
    const result = textOf(model.request(1).messages.at(-1)!)
    expect(result).toContain('"ada@example.org"')
    expect(result).toContain('"team@example.org"')
    expect(world.notes.pages).toEqual([])
  })

  it('are listed at the start of a conversation only when there are several', async () => {
    const model = new ScriptedModel(says('Hello.'), says('Hello.'))
    const world = start(model)
    await connect(world, 'notes', 'ada@example.org')
    await (await talk(world)).send('hi')
    expect(model.request(0).system).not.toContain('ada@example.org')
    await connect(world, 'notes', 'team@example.org')
    await (await talk(world)).send('hi')
    expect(model.request(1).system).toContain('"ada@example.org" (default), "team@example.org"')
  })

  it('are announced once when they are added or removed, with the same tools', async () => {
    const model = new ScriptedModel(says('1'), says('2'), says('3'), says('4'), says('5'))
    const world = start(model)
    await connect(world, 'notes', 'ada@example.org')
    const session = await talk(world)
    await session.send('hi')
    const team = await connect(world, 'notes', 'team@example.org')
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toEqual([
      expect.stringContaining('accounts now: "ada@example.org" (default), "team@example.org"'),
    ])
    await world.integrations.connections.disconnect('local', team.id)
    await session.send('hi')
    await session.send('hi')
    expect(appNotices(model)).toHaveLength(2)
    expect(appNotices(model)[1]).toContain('only the account "ada@example.org"')
    const tools = ownRequests(model).map((request) => JSON.stringify(request.tools))
    expect(new Set(tools).size).toBe(1)
  })

  it('without a known name get distinct labels', async () => {
    const world = start(new ScriptedModel())
    await world.integrations.connections.begin('local', 'notes')
    for (const label of ['', '']) await connect(world, 'notes', label)
    const rows = await world.integrations.connections.list('local')
    expect(rows.map(({ label }) => label)).toEqual(['', '', 'account 2'])
  })

  it('of the same name get distinct labels', async () => {
    const world = start(new ScriptedModel())
    for (const label of ['ada', 'Ada', 'ada', ' ', '']) await connect(world, 'notes', label)
    await connect(world, 'mail', 'ada')
    const rows = await world.integrations.connections.list('local')
    expect(rows.map(({ label }) => label)).toEqual([
      'ada',
      'Ada (2)',
      'ada (3)',
      'account 4',
      'account 5',
      'ada',
    ])
    // A repeated sign-in to the same account keeps its name.
    await world.integrations.connections.expire(rows[2]!.id, 'x')
    await world.signIn(rows[2]!.id, 'ada')
    expect((await world.integrations.connections.list('local'))[2]!.label).toBe('ada (3)')
  })
})

describe('a sub-agent that was parked', () => {
  it('resumes in the account it began in, even if the default has changed', async () => {
    const world = start(new ScriptedModel(...create('A'), says('Done.')), undefined, { safety: {} })
    await connect(world, 'notes', 'ada')
    const team = await connect(world, 'notes', 'team')
    const turn = (await talk(world)).send('Create the pages A, B, C and D in Notes.')
    await world.threads.idle()
    await vi.waitFor(async () => expect(await world.threads.pendingApprovals()).toHaveLength(1))
    const [approval] = await world.threads.pendingApprovals()
    expect(world.events.find(({ type }) => type === 'approval-request')).toMatchObject({
      effect: 'write',
      app: { toolkit: 'notes', name: 'Notes' },
    })
    await world.threads.idle()
    await world.integrations.connections.makeDefault('local', team.id)
    expect(await world.threads.answer(approval!.id, 'allow-once')).toBe('accepted')
    await turn
    expect(world.notes.owners).toEqual(['ada'])
  })
})
