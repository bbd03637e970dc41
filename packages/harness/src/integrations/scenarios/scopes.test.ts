import { describe, expect, it } from 'vitest'
import type { BusEvent } from '../../ports/event-bus.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { appNotices, connect, start } from './notes-connector.fixture.ts'

const DELEGATE = 'delegate_to_integrations_agent'
const delegate = () => calls(DELEGATE, { toolkit: 'notes', prompt: 'Tidy up.' })

async function talk(world: ReturnType<typeof start>) {
  const { id } = await world.threads.create()
  return world.threads.open(id)
}
const failures = (world: ReturnType<typeof start>) =>
  world.events.filter((event) => event.type === 'tool-end').map(({ failure }) => failure?.class)

describe('what the user allows in an app', () => {
  it('can be withdrawn, and a running sub-agent loses it at its next call', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      calls('create_page', { title: 'B' }),
      says('Only A.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    const { connections } = world.integrations
    world.notes.whenExecuting(() =>
      connections.setScopes('local', 'notes', { read: true, write: false, admin: false }),
    )
    expect(await (await talk(world)).send('Create the pages A, B, C and D in Notes.')).toMatchObject({
      type: 'done',
    })
    expect(world.notes.pages).toEqual(['A'])
    const notices = model.request(2).messages.filter(({ role }) => role === 'notice')
    expect(notices.map(textOf)).toEqual(['The tool "create_page" is no longer available. Do not call it.'])
    expect(model.request(2).tools).toEqual(model.request(1).tools)
  })

  it('is checked again when it was withdrawn while a call was in progress', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      says('No.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    const { connections } = world.integrations
    const session = await talk(world)
    world.whenEvent(async (event) => {
      if (event.type !== 'tool-start' || event.tool !== 'create_page') return
      await connections.setScopes('local', 'notes', { read: true, write: false, admin: false })
    })
    await session.send('Create the pages A, B, C and D in Notes.')
    expect(world.notes.pages).toEqual([])
    expect(failures(world)).toContain('blocked_by_policy')
  })

  it.each([
    ['withdrawn', 'blocked_by_policy'],
    ['disconnected', 'not_connected'],
  ])(
    'is read from the store when a call runs: %s on another node that has not told yet',
    async (how, failure) => {
      const model = new ScriptedModel(
        delegate(),
        calls('create_page', { title: 'A' }),
        says('No.'),
        says('Done.'),
      )
      const store = createMemoryStore()
      const world = start(model, store)
      const { id } = await connect(world, 'notes')
      world.whenEvent(async (event) => {
        if (event.type !== 'tool-start' || event.tool !== 'create_page') return
        if (how === 'withdrawn')
          await store.connections.setScopes('local', 'notes', { read: true, write: false, admin: false })
        else await store.connections.change(id, { status: 'disconnected', updatedAt: Date.now() }, ['active'])
      })
      await (await talk(world)).send('Create the pages A, B, C and D in Notes.')
      expect(world.notes.pages).toEqual([])
      expect(failures(world)).toContain(failure)
    },
  )

  it('can be granted, and a running sub-agent gets it at its next call', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      calls('call_tool', { name: 'delete_pages', arguments: {} }),
      says('All gone.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    const { connections } = world.integrations
    world.notes.whenExecuting(() =>
      connections.setScopes('local', 'notes', { read: true, write: true, admin: true }),
    )
    await (await talk(world)).send('Create the page A in Notes. Then delete the pages.')
    expect(textOf(model.request(1).messages[0]!)).toContain('delete_pages (needs admin)')
    expect(textOf(model.request(2).messages.at(-1)!)).toContain('"delete_pages" is available from now on')
    expect(world.notes.pages).toEqual([])
    expect(failures(world)).toEqual([undefined, undefined, undefined])
  })

  it('holds for the next sub-agent, and is published on the bus', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      says('I may not.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    const published: BusEvent[] = []
    world.integrations.bus.subscribe((event) => published.push(event))
    const scopes = { read: true, write: false, admin: false }
    await world.integrations.connections.setScopes('local', 'notes', scopes)
    expect(published).toEqual([{ type: 'scopes-changed', userId: 'local', toolkit: 'notes', scopes }])
    await (await talk(world)).send('Create the pages A, B, C and D in Notes.')
    expect(textOf(model.request(1).messages[0]!)).toContain('create_page (needs write)')
    expect(world.notes.pages).toEqual([])
  })
})

describe('the default account', () => {
  it('is the one the user chose, from the next sub-agent on, and is announced', async () => {
    const model = new ScriptedModel(
      says('Hello.'),
      delegate(),
      calls('create_page', { title: 'A' }),
      says('Created.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes', 'ada')
    const team = await connect(world, 'notes', 'team')
    const session = await talk(world)
    await session.send('hi')
    const published: BusEvent[] = []
    world.integrations.bus.subscribe((event) => published.push(event))
    const { connections } = world.integrations
    expect(await connections.makeDefault('somebody else', team.id)).toBe(false)
    expect(await connections.makeDefault('local', 'connection_unknown')).toBe(false)
    expect(published).toEqual([])
    expect(await connections.makeDefault('local', team.id)).toBe(true)
    expect(published).toMatchObject([
      { type: 'connections-changed', connection: { id: team.id, isDefault: true } },
    ])
    await session.send('Create the pages A, B, C and D in Notes.')
    expect(world.notes.owners).toEqual(['team'])
    expect(appNotices(model)).toEqual([expect.stringContaining('"team" (default), "ada"')])
  })
})
