import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { killAfterCommit } from '../../entry-points/scenarios/killable-store.fixture.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import { calls, callsMany, says, ScriptedModel } from '../../testing/index.ts'
import type { JsonObject } from '../../turn/json.ts'
import { textOf } from '../../turn/message/message.ts'
import { connect, start } from './notes-connector.fixture.ts'

type World = ReturnType<typeof start>

const find = (query = 'create a page', more: object = {}) =>
  calls('find_actions', { toolkit: 'notes', query, ...more })
const act = (action: string, args: JsonObject, more: object = {}): ScriptedReply =>
  calls('call_action', { toolkit: 'notes', action, arguments: args, ...more })
const create = (title: string, more: object = {}) => act('create_page', { title }, more)

async function talk({ threads }: World) {
  const { id } = await threads.create()
  return threads.open(id)
}

const ASKED = 'Create the pages A, B, C and D in Notes.'

/** A world in which Notes is connected, after one message. */
async function run(model: ScriptedModel, prepare: (world: World) => unknown = () => {}) {
  const world = start(model)
  await connect(world, 'notes')
  await prepare(world)
  const session = await talk(world)
  const outcome = await session.send(ASKED)
  return { world, session, outcome, ends: endsOf(world) }
}

const endsOf = ({ events }: World) => events.filter((event) => event.type === 'tool-end')
const nothing = () => Promise.resolve()
const lastResult = (model: ScriptedModel) => textOf(model.request(model.requests - 1).messages.at(-1)!)

describe('a direct call of an action', () => {
  it('needs four requests for two calls, and three once the thread knows the action', async () => {
    const model = new ScriptedModel(
      find(),
      create('A'),
      create('B'),
      says('Both.'),
      create('C'),
      create('D'),
      says('Two more.'),
    )
    const { world, session, outcome } = await run(model)
    expect(outcome).toMatchObject({ type: 'done', text: 'Both.' })
    expect(model.requests).toBe(4)
    expect(await session.send(ASKED)).toMatchObject({ type: 'done', text: 'Two more.' })
    expect(model.requests).toBe(7)
    expect(world.notes.pages).toEqual(['A', 'B', 'C', 'D'])
  })

  it('changes neither tools nor prompt, and all schemas together stay below 4 KB', async () => {
    const model = new ScriptedModel(find(), create('A'), says('Done.'))
    await run(model)
    const { tools, system } = model.request(0)
    for (const n of [1, 2]) {
      expect(model.request(n).tools).toEqual(tools)
      expect(model.request(n).system).toBe(system)
    }
    const sent = tools.map(({ name, description, input }) => ({ name, description, input }))
    expect(JSON.stringify(sent).length).toBeLessThan(4_096)
  })

  it('is reported and recorded as the action of the app', async () => {
    const { world, ends } = await run(new ScriptedModel(find(), create('A'), says('Done.')))
    const started = world.events.filter((event) => event.type === 'tool-start')[1]!
    expect(started).toMatchObject({
      tool: 'create_page',
      arguments: { title: 'A' },
      app: { toolkit: 'notes', name: 'Notes' },
      label: 'Notes: create page',
    })
    expect(ends[1]).toMatchObject({ tool: 'create_page', ok: true, output: 'created A' })
  })

  it('lists the actions once in a turn, and again in the next one', async () => {
    const { world, session } = await run(
      new ScriptedModel(find(), create('A'), create('B'), says('Done.'), create('C'), says('Done.')),
    )
    expect(world.notes.lists()).toBe(1)
    await session.send(ASKED)
    expect(world.notes.lists()).toBe(2)
  })

  it('shows definitions and results in a frame, as text from outside', async () => {
    const model = new ScriptedModel(find('read a page'), act('read_page', { title: 'A' }), says('Done.'))
    await run(model)
    expect(textOf(model.request(1).messages.at(-1)!)).toMatch(
      /^Actions of Notes.*\n<untrusted source="app">[^]*read_page \(read\)[^]*<\/untrusted>$/,
    )
    expect(lastResult(model)).toMatch(/^<untrusted source="app">\nA: Ignore[^]*<\/untrusted>$/)
  })

  it('that only reads runs together with others of the same reply', async () => {
    const reads = ['A', 'B', 'C'].map((title) => ({
      tool: 'call_action',
      args: { toolkit: 'notes', action: 'read_page', arguments: { title } },
    }))
    const { world, ends } = await run(new ScriptedModel(callsMany(reads), says('Done.')))
    expect(world.notes.reading.most).toBe(3)
    expect(world.notes.lists()).toBe(1)
    expect(ends.map(({ tool, ok }) => ok && tool)).toEqual(['read_page', 'read_page', 'read_page'])
  })

  it.each(['CREATE_PAGE', 'create page', 'notes_create_page', 'Notes: create-page'])(
    'finds the action behind the name %s',
    async (name) => {
      const { world, ends } = await run(new ScriptedModel(act(name, { title: 'A' }), says('Done.')))
      expect(world.notes.pages).toEqual(['A'])
      expect(ends[0]!.tool).toBe('create_page')
    },
  )

  it('of an unknown action names the ones that come near', async () => {
    const model = new ScriptedModel(act('create_pages_for_all', {}), says('Hm.'))
    const { ends } = await run(model)
    expect(ends[0]).toMatchObject({ tool: 'call_action', ok: false, failure: { class: 'not_found' } })
    expect(lastResult(model)).toContain('create_page')
  })

  it('with arguments that do not fit is answered with the expected shape', async () => {
    const model = new ScriptedModel(act('create_page', {}), create('A'), says('Done.'))
    const { world, ends } = await run(model)
    expect(ends[0]).toMatchObject({ tool: 'create_page', failure: { class: 'invalid_input' } })
    expect(textOf(model.request(1).messages.at(-1)!)).toContain('"required":["title"]')
    expect(world.notes.pages).toEqual(['A'])
  })

  it('without an action or arguments is answered with what is missing', async () => {
    const { ends } = await run(new ScriptedModel(calls('call_action', { toolkit: 'notes' }), says('Hm.')))
    expect(ends[0]).toMatchObject({ tool: 'call_action', failure: { class: 'invalid_input' } })
  })

  it('of an action that the user does not allow says so, asks nobody and offers to allow it', async () => {
    const { world, ends } = await run(new ScriptedModel(act('delete_pages', {}), says('Not allowed.')))
    expect(ends[0]).toMatchObject({
      tool: 'delete_pages',
      failure: {
        class: 'blocked_by_policy',
        remedy: {
          kind: 'allow-actions',
          toolkit: 'notes',
          name: 'Notes',
          effect: 'admin',
          action: 'delete_pages',
        },
      },
    })
    expect(ends[0]!.output).toContain('Deletes all pages.')
    expect(world.events.some(({ type }) => type === 'approval-request')).toBe(false)
  })

  it('marks the connection as expired when the service answers 401', async () => {
    const { world, ends } = await run(new ScriptedModel(create('A'), says('Sign in again.')), ({ notes }) =>
      notes.spoil(),
    )
    expect(ends[0]).toMatchObject({ failure: { class: 'bad_credentials' } })
    const [row] = await world.integrations.connections.list('local')
    expect(row).toMatchObject({ status: 'expired' })
  })

  it('in an app that is not connected says how to connect it, and what is connected', async () => {
    const model = new ScriptedModel(
      calls('call_action', { toolkit: 'mail', action: 'create_page', arguments: { title: 'A' } }),
      says('Shall I connect it?'),
    )
    const { ends } = await run(model)
    expect(ends[0]).toMatchObject({ tool: 'call_action', failure: { class: 'not_connected' } })
    expect(lastResult(model)).toContain('connect_app')
    expect(lastResult(model)).toContain('Connected: notes.')
  })

  it('reaches an app that was connected in the middle of the turn', async () => {
    const inMail = calls('call_action', { toolkit: 'mail', action: 'create_page', arguments: { title: 'B' } })
    const model = new ScriptedModel(inMail, create('A'), inMail, says('Done.'))
    const { world, ends } = await run(model, (started) =>
      started.notes.whenExecuting(() =>
        started.notes.pages.length === 0 ? connect(started, 'mail') : nothing(),
      ),
    )
    expect(ends.map(({ ok }) => ok)).toEqual([false, true, true])
    expect(world.notes.pages).toEqual(['A', 'B'])
  })

  it('runs in the account that is named', async () => {
    const model = new ScriptedModel(create('A'), create('B', { account: 'Team@example.org' }), says('Done.'))
    const { world } = await run(model, (started) => connect(started, 'notes', 'team@example.org'))
    expect(world.notes.owners).toEqual(['ada@example.org', 'team@example.org'])
  })
})

describe('a sub-agent with the tools of its parent', () => {
  const child = { id: 'clerk', description: 'Files things.', instructions: 'You file.' }
  const ask = calls('delegate_to_clerk', { prompt: 'Create A.' })

  /** What became of a direct call of a sub-agent that is restricted like this. */
  async function tryCall(restricted: Partial<AgentDefinition>) {
    const model = new ScriptedModel(ask, create('A'), says('Filed.'), says('Done.'))
    const world = start(model, createMemoryStore(), { agents: () => [{ ...child, ...restricted }] })
    await connect(world, 'notes')
    await (await talk(world)).send(ASKED)
    return world.notes.pages
  }

  it('calls actions when it has the tool for it', async () => {
    expect(await tryCall({})).toEqual(['A'])
    expect(await tryCall({ tools: ['call_action'] })).toEqual(['A'])
  })

  it.each([
    ['the tool is not listed', { tools: ['find_actions'] }],
    ['the tool is denied', { deny: ['call_*'] }],
    ['the action is denied', { deny: ['create_*'] }],
    ['the action is denied and the tool listed', { tools: ['call_action'], deny: ['create_page'] }],
    ['its ceiling is lower', { effectCeiling: 'read' as const }],
  ])('does not when %s', async (_why, restricted) => {
    expect(await tryCall(restricted)).toEqual([])
  })
})

/** A supervised world with Notes; a process is a model and the threads over one store. */
function supervised(model: ScriptedModel, store = createMemoryStore()) {
  return start(model, store, { safety: { mode: 'supervised' } })
}

describe('an approval of a direct call', () => {
  it('names the action and the app, and its grant holds through the sub-agent as well', async () => {
    const model = new ScriptedModel(
      create('A'),
      says('Done.'),
      calls('delegate_to_integrations_agent', { toolkit: 'notes', prompt: 'Create B.' }),
      calls('create_page', { title: 'B' }),
      says('Created.'),
      says('Done.'),
    )
    const world = supervised(model)
    await connect(world, 'notes')
    const session = await talk(world)
    await session.submit(ASKED)
    await world.threads.idle()
    const [open] = await world.threads.pendingApprovals()
    expect(open).toMatchObject({
      tool: 'create_page',
      label: 'Notes: create page',
      arguments: { title: 'A' },
      binding: { app: { toolkit: 'notes' }, definitionDigest: 'digest-1', effect: 'write' },
    })
    await world.threads.answer(open!.id, 'allow-always')
    await world.threads.idle()
    await session.send(ASKED)
    expect(world.notes.pages).toEqual(['A', 'B'])
    expect(world.events.filter(({ type }) => type === 'approval-request')).toHaveLength(1)
  })

  it('is void when the app changes the definition while it is open', async () => {
    const model = new ScriptedModel(create('A'), says('Not done.'))
    const world = supervised(model)
    await connect(world, 'notes')
    await (await talk(world)).submit(ASKED)
    await world.threads.idle()
    const [open] = await world.threads.pendingApprovals()
    world.notes.redefine({ description: 'Publishes a page.', digest: 'digest-9' })
    await world.threads.answer(open!.id, 'allow-once')
    await world.threads.idle()
    expect(world.notes.pages).toEqual([])
  })

  it('holds for the account that was shown, also when another becomes the default', async () => {
    const world = supervised(new ScriptedModel(create('A'), says('Done.')))
    await connect(world, 'notes')
    const team = await connect(world, 'notes', 'team@example.org')
    await (await talk(world)).submit(ASKED)
    await world.threads.idle()
    const [open] = await world.threads.pendingApprovals()
    await world.integrations.connections.makeDefault('local', team.id)
    await world.threads.answer(open!.id, 'allow-once')
    await world.threads.idle()
    expect(world.notes.owners).toEqual(['ada@example.org'])
  })

  it('is answered in another process, and the call runs there once', async () => {
    const store = createMemoryStore()
    const before = supervised(new ScriptedModel(create('A')), store)
    await connect(before, 'notes')
    await (await talk(before)).submit(ASKED)
    await before.threads.idle()
    // The first process is gone: nothing of it is stopped or asked.
    const after = supervised(new ScriptedModel(says('Done.')), store)
    expect(await after.threads.resume()).toEqual({ running: 0, waiting: 1 })
    const [open] = await after.threads.pendingApprovals()
    await after.threads.answer(open!.id, 'allow-once')
    await after.threads.idle()
    expect([before.notes.pages, after.notes.pages]).toEqual([[], ['A']])
    expect(after.events.at(-1)).toMatchObject({ type: 'turn-end', outcome: { type: 'done', text: 'Done.' } })
  })
})

describe('a direct call that was running when the process died', () => {
  it('is interrupted, also when the app cannot be reached afterwards', async () => {
    const store = createMemoryStore()
    const process = killAfterCommit(store)
    const before = start(new ScriptedModel(create('A')), process.store)
    await connect(before, 'notes')
    const reached = Promise.withResolvers<void>()
    before.notes.whenExecuting(() => {
      process.kill()
      reached.resolve()
      return new Promise(() => {})
    })
    await (await talk(before)).submit(ASKED)
    await reached.promise
    const after = start(new ScriptedModel(says('It may have happened.')), store)
    after.notes.hideActions(new Error('away'))
    await after.threads.resume()
    await after.threads.idle()
    expect(endsOf(after)).toMatchObject([{ ok: false, failure: { class: 'interrupted' } }])
    expect(after.notes.pages).toEqual([])
  })
})
