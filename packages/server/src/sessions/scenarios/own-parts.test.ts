import { createLocalConnector } from '@capstan/connectors'
import { defineTool } from '@capstan/harness'
import { calls, says, ScriptedModel } from '@capstan/harness/testing'
import { describe, expect, it } from 'vitest'
import { ask, createFolder, openWorld } from '../assistant.fixture.ts'

const TIMEOUT = { timeout: 60_000 }

describe('an assistant with parts of its own', TIMEOUT, () => {
  const order = defineTool({
    name: 'order',
    description: 'Orders an article.',
    input: { type: 'object' },
    effect: 'write',
    run: () => 'ordered',
  })
  const buyer = { id: 'buyer', description: 'Buys.', instructions: 'You buy.', tools: ['order'] }

  it('offers its tools to the model and to its sub-agents', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_buyer', { prompt: 'Order one.' }),
      calls('order'),
      says('Ordered.'),
      says('Done.'),
    )
    const world = await openWorld({ model, tools: [order], agents: [buyer], mode: 'full' })
    expect(await ask(world, 'Order one.')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(model.request(0).tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['order', 'clock', 'delegate_to_buyer', 'delegate_to_researcher']),
    )
    expect(await world.findEvent('tool-end', ({ tool }) => tool === 'order')).toMatchObject({ ok: true })
  })

  it('limits its sub-agents, also a built-in one, by its settings', async () => {
    const model = new ScriptedModel(
      calls('delegate_to_researcher', { prompt: 'What time is it?' }),
      calls('clock'),
      says('So far.'),
      says('Done.'),
    )
    const world = await openWorld({ model, agentSettings: { researcher: { maxIterations: 1 } } })
    await ask(world, 'What time is it?')
    expect(await world.findEvent('tool-end', ({ tool }) => tool === 'delegate_to_researcher')).toMatchObject({
      ok: false,
    })
  })

  it('describes its sub-agents and how to work with them in less than 4 KB', async () => {
    const model = new ScriptedModel(says('Hi.'))
    await ask(await openWorld({ model }), 'Hi.')
    const tools = model.request(0).tools.filter(({ name }) => /agent|^delegate_to_/.test(name))
    expect(tools.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'delegate_to_integrations_agent',
        'continue_agent',
        'spawn_agent',
        'wait_agent',
      ]),
    )
    const bytes = JSON.stringify(tools.map(({ name, description, input }) => ({ name, description, input })))
    expect(bytes.length).toBeLessThan(4096)
  })

  it('applies its policy over the safety mode', async () => {
    const model = new ScriptedModel(calls('order'), says('Refused.'))
    const policy = [{ tool: 'order', decision: 'deny' as const }]
    const world = await openWorld({ model, tools: [order], policy, mode: 'full' })
    await ask(world, 'Order one.')
    expect(await world.findEvent('tool-end')).toMatchObject({
      ok: false,
      failure: { class: 'blocked_by_policy' },
    })
  })

  it('gives every user its safety mode until the user sets another', async () => {
    const { assistant } = await openWorld({ mode: 'read-only' })
    await assistant.changeSettings('ada', { theme: 'dark' })
    await assistant.changeSettings('grace', { safetyMode: 'supervised' })
    const modes = ['local', 'ada', 'grace'].map((userId) => assistant.readSettings(userId).safetyMode)
    expect(modes).toEqual(['read-only', 'read-only', 'supervised'])
  })

  it('applies its limits to every turn', async () => {
    const model = new ScriptedModel(calls('clock'), says('So far.'))
    const world = await openWorld({ model, limits: { maxIterations: 1 } })
    expect(await ask(world, 'What time is it?')).toMatchObject({ type: 'capped' })
  })

  it('offers the apps of its connectors, which receive the vault', async () => {
    const { assistant } = await openWorld({
      connectors: (vault) => [
        createLocalConnector({
          vault,
          toolkits: [{ slug: 'shop', name: 'Shop', description: 'A shop.', auth: 'key', actions: [] }],
        }),
      ],
    })
    const { toolkits } = await assistant.integrations.directory.read('local')
    expect(toolkits).toMatchObject([{ slug: 'shop', auth: 'key' }])
  })

  it.each([
    ['tools', { tools: [{ ...order, name: 'clock' }] }],
    ['tools', { tools: [order, order] }],
    ['tools', { tools: [{ ...order, name: 'read_file' }] }],
    ['tools', { tools: [{ ...order, name: 'delegate_to_buyer' }], agents: [buyer] }],
    ['agents', { agents: [{ ...buyer, id: 'researcher' }] }],
  ])('does not start with %s whose name is taken, and leaves the folder free', async (field, parts) => {
    const folder = await createFolder()
    await expect(openWorld({ folder, ...parts })).rejects.toMatchObject({ field })
    await openWorld({ folder })
  })

  it.each([
    ['call_tool', '"call_tool" is taken'],
    ['continue_agent', '"continue_agent" is taken'],
    ['submit_final_result', '"submit_final_result" is taken'],
    ['has space', 'the name "has space" must be'],
    ['', 'the name "" must be'],
  ])('does not start with a tool named "%s"', async (name, problem) => {
    const opening = openWorld({ tools: [order, { ...order, name }] })
    await expect(opening).rejects.toMatchObject({ field: 'tools', message: expect.stringContaining(problem) })
  })

  it.each([
    ['tools', { tools: [order, null as never] }, 'entry 2 is not a tool'],
    ['tools', { tools: [{ name: 'x' } as never] }, 'entry 1 is not a tool'],
    ['agents', { agents: [null as never] }, 'entry 1 is not an agent'],
  ])('does not start with %s that are none', async (field, parts, problem) => {
    await expect(openWorld(parts)).rejects.toMatchObject({ field, message: `${field}: ${problem}` })
  })
})
