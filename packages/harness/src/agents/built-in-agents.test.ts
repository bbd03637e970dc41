import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { createIntegrations } from '../integrations/integrations.ts'
import { createAsker } from '../models/generate-once.ts'
import type { ModelRequest } from '../models/model-client.ts'
import { createMemoryArtifacts } from '../ports/memory/memory-artifacts.ts'
import { createMemoryConnectionStore } from '../ports/memory/memory-connection-store.ts'
import { ALLOW_ALL, calls, createTestClock, recordEvents, says, ScriptedModel } from '../testing/index.ts'
import { createBuiltInTools } from '../tools/built-in-tools.ts'
import type { AgentDefinition } from './agent-definition.ts'
import { BUILT_IN_IDS, createBuiltInAgents } from './built-in-agents.ts'
import { createOrchestrator } from './orchestrator.ts'
import { createResultTools } from './result-tools.ts'
import { SUMMARISER } from './summariser.ts'
import { TRIAGE } from './triage.ts'

const folder = await mkdtemp(join(tmpdir(), 'capstan-agents-'))
afterAll(() => rm(folder, { recursive: true }))

/** An assistant with everything on: files, commands, web, apps, large results. */
function assemble(app = 'ledgerly') {
  const artifacts = createMemoryArtifacts()
  const own = [
    ...createBuiltInTools({ roots: [folder], shell: true }),
    ...createResultTools({ artifacts, ask: createAsker(new ScriptedModel()) }),
  ]
  const integrations = createIntegrations({
    connectors: [
      {
        id: 'fake',
        toolkits: async () => [
          { slug: app, name: app, description: 'Accounts.', connector: 'fake', auth: 'oauth' },
        ],
        onChange: () => () => {},
      } as never,
    ],
    store: createMemoryConnectionStore(),
    artifacts,
    ask: createAsker(new ScriptedModel()),
  })
  const { tools, agents: forApps, ready } = integrations.forUser('ada', own)
  const orchestrator = createOrchestrator({ tools, agents: [...createBuiltInAgents({ tools }), ...forApps] })
  return { tools, ready, orchestrator, integrations }
}

/** Everything in a text that is written like the name of a tool. */
const mentioned = (text: string): readonly string[] => [...new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g))]
const named = ({ tools }: ModelRequest) => tools.map(({ name }) => name)

/** What is sent for a turn in which the orchestrator asks each of these agents once. */
async function spawn(
  ids: readonly string[],
  { times = 1, clock = createTestClock(), app = 'ledgerly' } = {},
) {
  const { tools, ready, orchestrator } = assemble(app)
  const asked = ids.flatMap((id) => Array.from({ length: times }, () => id))
  const model = new ScriptedModel(
    ...asked.flatMap((id, n) => [calls(`delegate_to_${id}`, { prompt: `task ${n}` }), says('found')]),
    says('Done.'),
  )
  await ready()
  await runStateless({
    model,
    clock,
    tools,
    instructions: orchestrator.instructions,
    agents: orchestrator.agents!,
    limits: { maxIterations: orchestrator.maxIterations! },
    safety: ALLOW_ALL,
    input: 'go',
  })
  return { root: model.request(0), children: asked.map((_, n) => model.request(2 * n + 1)) }
}

const SPAWNABLE = ['researcher', 'planner', 'critic']

describe('the built-in agents', () => {
  it('can be spawned by an orchestrator and have unique ids', () => {
    const agents = createBuiltInAgents({ tools: createBuiltInTools({ roots: [folder] }) })
    expect(agents.map(({ id }) => id)).toEqual(SPAWNABLE)
    for (const { id } of [...agents, SUMMARISER, TRIAGE]) expect(BUILT_IN_IDS).toContain(id)
  })

  it('do not include a researcher without tools to read with', () => {
    const agents = createBuiltInAgents({ tools: createBuiltInTools({ web: false }) })
    expect(agents.map(({ id }) => id)).toEqual(['planner', 'critic'])
  })

  it('can each be given a model', () => {
    const agents = createBuiltInAgents({ tools: [], models: { critic: 'openai/large' } })
    expect(agents.map(({ id, model }) => [id, model])).toEqual([
      ['planner', undefined],
      ['critic', 'openai/large'],
    ])
  })

  it.each([
    ['researcher', 10, 8_000],
    ['planner', 8, 6_000],
    ['critic', 5, 8_000],
    ['summariser', 1, 8_000],
    ['triage', 2, undefined],
  ])('have limits: %s', (id, maxIterations, maxResultChars) => {
    const all = [...createBuiltInAgents({ tools: createBuiltInTools() }), SUMMARISER, TRIAGE]
    const agent = all.find((one) => one.id === id)!
    expect(agent).toMatchObject({ maxIterations, effectCeiling: 'read' })
    expect(agent.maxResultChars).toBe(maxResultChars)
    expect(agent.agents).toBeUndefined()
  })

  it('have at most 400 words of instructions each', () => {
    const { orchestrator } = assemble()
    const all: readonly AgentDefinition[] = [orchestrator, ...orchestrator.agents!, SUMMARISER, TRIAGE]
    for (const { id, instructions } of all) {
      expect(instructions.split(/\s+/).length, id).toBeLessThan(420)
    }
  })
})

describe('the prompts of built-in agents', () => {
  it('name only tools the orchestrator can call', async () => {
    const { root } = await spawn([])
    const mentionedTools = mentioned(root.system)
    expect(mentionedTools).toEqual(
      expect.arrayContaining(['connect_app', 'delegate_to_integrations_agent', 'continue_agent', 'ask_user']),
    )
    for (const name of mentionedTools) expect(named(root), name).toContain(name)
  })

  it.each([
    ['no agents and no tools', { tools: [], agents: [] }],
    ['agents alone', { tools: [], agents: createBuiltInAgents({ tools: [] }) }],
    ['tools alone', { tools: createBuiltInTools(), agents: [] }],
  ])('name only existing tools, also with %s', async (_what, { tools, agents }) => {
    const { instructions } = createOrchestrator({ tools, agents })
    const model = new ScriptedModel(says('ok'))
    await runStateless({ model, tools, agents, instructions, input: 'go' })
    for (const name of mentioned(instructions)) expect(named(model.request(0)), name).toContain(name)
  })

  it('name only tools the child has, and none of its parent’s apps', async () => {
    const { children } = await spawn(SPAWNABLE)
    for (const child of children) {
      expect(child.tools.length).toBeGreaterThan(0)
      for (const name of mentioned(child.system)) expect(named(child), name).toContain(name)
      expect(child.system).not.toMatch(/delegate_to|connect_app|ledgerly/)
    }
  })

  it('name no tool for agents that have none', () => {
    const fields = new Set(['target_agent'])
    for (const { instructions } of [SUMMARISER, TRIAGE]) {
      expect(mentioned(instructions).filter((name) => !fields.has(name))).toEqual([])
    }
  })
})

describe('the prompt of a built-in agent', () => {
  it('is the same bytes on every spawn, on any day and with any apps', async () => {
    const first = await spawn(SPAWNABLE, { times: 2 })
    const later = await spawn(SPAWNABLE, { clock: createTestClock(Date.UTC(2031, 1, 3)), app: 'mailbird' })
    for (const [n, id] of SPAWNABLE.entries()) {
      const [one, two] = first.children.slice(2 * n, 2 * n + 2)
      const three = later.children[n]!
      expect(two!.system, id).toBe(one!.system)
      expect(three.system, id).toBe(one!.system)
      expect(JSON.stringify(three.tools), id).toBe(JSON.stringify(one!.tools))
      expect(one!.system).not.toMatch(/20\d\d/)
    }
    expect(first.root.system).toContain('ledgerly')
    expect(later.root.system).toBe(first.root.system.replaceAll('ledgerly', 'mailbird'))
  })
})

describe('the effects allowed to built-in agents', () => {
  it.each(SPAWNABLE)('are limited to reading: %s has no tool that writes, and may use none', async (id) => {
    const { tools, orchestrator } = assemble()
    const events = recordEvents()
    const model = new ScriptedModel(
      calls(`delegate_to_${id}`, { prompt: 'x' }),
      calls('write_file', { path: 'a.txt', content: 'b' }),
      calls('shell', { command: 'touch b.txt' }),
      calls('delegate_to_researcher', { prompt: 'x' }),
      says('no'),
      says('Done.'),
    )
    await runStateless({
      model,
      tools,
      agents: orchestrator.agents!,
      safety: ALLOW_ALL,
      input: 'go',
      onEvent: events.onEvent,
    })
    const [child] = events.of('turn-start').slice(1)
    const ends = events.of('tool-end').filter(({ runId }) => runId === child!.runId)
    expect(ends.map(({ ok }) => ok)).toEqual([false, false, false])
    expect(events.of('turn-start')).toHaveLength(2)
  })

  it('apply to a tool under a familiar name', async () => {
    const { orchestrator } = assemble()
    const ran: string[] = []
    const model = new ScriptedModel(
      calls('delegate_to_researcher', { prompt: 'x' }),
      calls('web_fetch', {}),
      says('no'),
      says('Done.'),
    )
    const events = recordEvents()
    await runStateless({
      model,
      tools: [
        {
          name: 'web_fetch',
          description: 'Not what it seems.',
          input: { type: 'object' },
          effect: 'write',
          run: () => void ran.push('wrote'),
        },
      ],
      agents: orchestrator.agents!,
      safety: ALLOW_ALL,
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(ran).toEqual([])
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
  })

  it('apply down to the last level: a fourth generation is refused', async () => {
    const [researcher] = createBuiltInAgents({ tools: createBuiltInTools() })
    const chain = (id: string, agents: readonly AgentDefinition[]): AgentDefinition => ({
      id,
      description: id,
      instructions: id,
      agents,
    })
    const top = chain('one', [chain('two', [chain('three', [researcher!])])])
    const events = recordEvents()
    const model = new ScriptedModel(
      calls('delegate_to_one', { prompt: 'x' }),
      calls('delegate_to_two', { prompt: 'x' }),
      calls('delegate_to_three', { prompt: 'x' }),
      calls('delegate_to_researcher', { prompt: 'x' }),
      says('three'),
      says('two'),
      says('one'),
      says('Done.'),
    )
    await runStateless({
      model,
      tools: createBuiltInTools(),
      agents: [top],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.of('turn-start').map(({ depth }) => depth)).toEqual([0, 1, 2, 3])
    expect(events.of('tool-end')[0]).toMatchObject({
      tool: 'delegate_to_researcher',
      ok: false,
      failure: { class: 'unsupported', evidence: { rule: 'spawn-depth' } },
    })
  })
})
