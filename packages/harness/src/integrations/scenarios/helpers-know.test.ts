import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { rankActions } from '../agent/rank-actions.ts'
import { connect, start } from './notes-connector.fixture.ts'

type World = ReturnType<typeof start>

const DELEGATE = 'delegate_to_integrations_agent'
const delegate = () => calls(DELEGATE, { toolkit: 'notes', prompt: 'Tidy up.' })

async function talk({ threads }: World) {
  const { id } = await threads.create()
  return threads.open(id)
}
const noticesOf = (model: ScriptedModel, n: number) =>
  model
    .request(n)
    .messages.filter(({ role }) => role === 'notice')
    .map(textOf)

const EXPORT = {
  name: 'export_page',
  description: 'Exports a page.',
  input: { type: 'object', properties: {} },
  effect: 'read' as const,
  digest: 'digest-7',
}

describe('a sub-agent that may delegate to apps', () => {
  const clerk: AgentDefinition = {
    id: 'clerk',
    description: 'Files things.',
    instructions: 'You file.',
    tools: [],
  }

  /** A world whose clerk may use the integrations agent, and nothing else. */
  function startClerk(model: ScriptedModel) {
    return start(model, createMemoryStore(), {
      agents: (apps) => [{ ...clerk, agents: apps }],
    })
  }

  it('is told at its start which apps are connected, with the tools that it has', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_clerk', { prompt: 'File it.' }),
      says('Filed.'),
      says('Done.'),
    )
    const world = startClerk(model)
    await connect(world, 'notes')
    await (await talk(world)).send('go')
    const { system } = model.request(1)
    expect(system).toContain(`Connected apps, for ${DELEGATE}:\n- notes: Notes. Pages.`)
    expect(system).not.toMatch(/connect_app|find_actions|call_action/)
  })

  it('is told of an app that is connected while it works', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_clerk', { prompt: 'File it.' }),
      delegate(),
      calls('create_page', { title: 'A' }),
      says('Created.'),
      says('Filed.'),
      says('Done.'),
    )
    const world = startClerk(model)
    await connect(world, 'notes')
    world.notes.whenExecuting(() => connect(world, 'mail'))
    await (await talk(world)).send('go')
    expect(noticesOf(model, 4)).toEqual([
      `The app Mail is connected now: use ${DELEGATE} with toolkit "mail", and do not ask the user to connect it.`,
    ])
    expect(model.request(4).system).toBe(model.request(1).system)
  })
})

describe('an action list that changes while a sub-agent works', () => {
  it('is known to it at its next iteration', async () => {
    const model = new ScriptedModel(
      delegate(),
      calls('create_page', { title: 'A' }),
      calls('call_tool', { name: 'export_page', arguments: {} }),
      says('Exported.'),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    world.notes.whenExecuting(async () => {
      if (world.notes.pages.length === 0) world.notes.addActions(EXPORT)
    })
    await (await talk(world)).send('go')
    expect(noticesOf(model, 2)).toEqual([
      expect.stringContaining('The tool "export_page" is available from now on'),
    ])
    expect(model.request(2).tools).toEqual(model.request(1).tools)
    const ends = world.events.filter((event) => event.type === 'tool-end')
    expect(ends.map(({ tool, ok }) => [tool, ok])).toContainEqual(['export_page', true])
  })

  it('is known to direct calls of the same turn', async () => {
    const create = (action: string, args: Record<string, string>) =>
      calls('call_action', { toolkit: 'notes', action, arguments: args })
    const model = new ScriptedModel(
      create('create_page', { title: 'A' }),
      create('export_page', {}),
      says('Done.'),
    )
    const world = start(model)
    await connect(world, 'notes')
    world.notes.whenExecuting(async () => {
      if (world.notes.pages.length === 0) world.notes.addActions(EXPORT)
    })
    await (await talk(world)).send('go')
    const ends = world.events.filter((event) => event.type === 'tool-end')
    expect(ends.map(({ tool, ok }) => [tool, ok])).toEqual([
      ['create_page', true],
      ['export_page', true],
    ])
  })
})

describe('an action that the user does not allow', () => {
  it.each(['delete_pages', 'DELETE_PAGES', 'notes_delete_pages'])(
    'says what it is, why it is off and where to allow it, called as %s by a sub-agent',
    async (name) => {
      const model = new ScriptedModel(delegate(), calls(name, {}), says('Not allowed.'), says('Sorry.'))
      const world = start(model)
      await connect(world, 'notes')
      await (await talk(world)).send('go')
      const [end] = world.events.filter((event) => event.type === 'tool-end')
      expect(end).toMatchObject({
        tool: 'delete_pages',
        failure: {
          class: 'blocked_by_policy',
          remedy: { kind: 'allow-actions', toolkit: 'notes', effect: 'admin', action: 'delete_pages' },
        },
      })
      expect(end!.output).toMatch(/Deletes all pages\..* does not allow admin actions .*Connections, Notes/)
    },
  )
})

describe('the actions that are sent with a request', () => {
  const action = (name: string, description = 'Does something.') => ({
    name,
    description,
    input: { type: 'object' },
    effect: 'read' as const,
    digest: name,
  })
  const many = Array.from({ length: 60 }, (_, n) => action(`service_${n}`))

  it.each([
    ['by its name', action('cancel_booking')],
    ['by its description', action('void', 'Cancels a booking.')],
  ])('include the only one that fits %s', (_how, only) => {
    const { shown, others } = rankActions([...many, only], 'Cancel the booking of Ada')
    expect(shown[0]).toBe(only)
    expect(others).toHaveLength(61 - shown.length)
  })
})
