import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../agents/agent-definition.ts'
import type { ModelRequest } from '../models/model-client.ts'
import type { ToolSource } from '../seams/seams.ts'
import { createLiveTools } from '../seams/tool-sources/live-tools.ts'
import type { Step } from '../testing/index.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool, withoutFrame } from '../testing/index.ts'
import type { JsonObject } from '../turn/json.ts'
import { textOf } from '../turn/message/message.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import { createSession } from './session/session.ts'
import { runStateless } from './stateless-loop.ts'

const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  id,
  description: `Works as ${id}.`,
  instructions: `You are ${id}.`,
  ...more,
})

/** A model with a script per agent. The system prompt tells which agent asks. */
function scriptedAgents(scripts: Readonly<Record<string, readonly Step[]>>): ScriptedModel {
  const queues = new Map(Object.entries(scripts).map(([who, steps]) => [who, [...steps]]))
  const next: Step = (request) => {
    const who = [...queues.keys()].find((id) => request.system.startsWith(`You are ${id}.`)) ?? 'boss'
    const step = queues.get(who)?.shift()
    if (step === undefined) throw new Error(`${who} has no more steps`)
    return step
  }
  return new ScriptedModel(...Array.from({ length: 100 }, () => next))
}

/** The requests of one agent. */
const requestsOf = (model: ScriptedModel, id: string) =>
  Array.from({ length: model.requests }, (_, n) => model.request(n)).filter(({ system }) =>
    system.startsWith(`You are ${id}.`),
  )
const delegate = (id: string, prompt = 'do it', more: JsonObject = {}) =>
  calls(`delegate_to_${id}`, { prompt, ...more })
const lastResult = (request: ModelRequest) =>
  withoutFrame(textOf(request.messages.findLast(({ role }) => role === 'tool')!))

describe('a sub-agent', () => {
  it('does its task and returns its answer to its parent', async () => {
    const model = scriptedAgents({
      boss: [delegate('scout', 'Find Ada.', { context: 'She is in Oslo.' }), says('Found.')],
      scout: [says('In Oslo.')],
    })
    const events = recordEvents()
    const outcome = await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [agent('scout')],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Found.' })
    expect(lastResult(requestsOf(model, 'boss')[1]!)).toBe('In Oslo.')
    // Watchers see the prompt; the context is only for the model.
    expect(events.of('turn-start').map(({ text }) => text)).toEqual(['go', 'Find Ada.'])
    const [asked] = requestsOf(model, 'scout')
    expect(asked!.messages).toHaveLength(1)
    expect(textOf(asked!.messages[0]!)).toBe('[Context]\nShe is in Oslo.\n\n[Task]\nFind Ada.')
  })

  it('does not see its parent’s conversation, and has the same prompt every time', async () => {
    const model = scriptedAgents({
      boss: [delegate('scout', 'one'), delegate('scout', 'two'), says('ok')],
      scout: [says('a'), says('b')],
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [agent('scout')],
      input: 'a secret plan',
    })
    const [first, second] = requestsOf(model, 'scout')
    expect(second!.system).toBe(first!.system)
    expect(first!.system).not.toMatch(/20\d\d-\d\d-\d\d/)
    expect(JSON.stringify([first, second])).not.toContain('a secret plan')
    expect(second!.messages.map(textOf)).toEqual(['two'])
  })

  it('reports its events on the line of its parent, under the call that started it', async () => {
    const events = recordEvents()
    const model = scriptedAgents({
      boss: [delegate('scout'), says('ok')],
      scout: [calls('look'), says('Seen.')],
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [stubTool('look')],
      agents: [agent('scout')],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.all.map(({ seq }) => seq)).toEqual(events.all.map((_, index) => index + 1))
    const [boss, scout] = events.of('turn-start')
    const asked = events.of('tool-start')[0]!
    expect(boss).toMatchObject({ depth: 0, agent: 'stateless' })
    expect(scout).toMatchObject({
      depth: 1,
      agent: 'scout',
      parent: { runId: boss!.runId, callId: asked.callId },
    })
    const nested = events.all.filter(({ runId }) => runId === scout!.runId).map(({ type }) => type)
    expect(nested[0]).toBe('turn-start')
    expect(nested).toContain('tool-start')
    expect(nested.at(-1)).toBe('turn-end')
    const end = events.all.findIndex(({ type, runId }) => type === 'turn-end' && runId === scout!.runId)
    const settled = events.all.findIndex(
      (event) => event.type === 'tool-end' && event.callId === asked.callId,
    )
    expect(settled).toBeGreaterThan(end)
  })

  it('adds its usage to its parent’s', async () => {
    const model = scriptedAgents({
      boss: [delegate('scout'), says('ok')],
      scout: [calls('look'), says('Seen.')],
    })
    const { usage } = await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [stubTool('look')],
      agents: [agent('scout')],
      input: 'go',
    })
    expect(usage.inputTokens).toBe(40)
  })

  it('reports its messages to the same observers under its own run', async () => {
    const model = scriptedAgents({ boss: [delegate('scout'), says('ok')], scout: [says('Seen.')] })
    const store = createMemoryStore()
    const session = createSession({ model, store, instructions: 'You are boss.', agents: [agent('scout')] })
    await session.send('go')
    const records = await store.ledger.read(session.threadId)
    expect(
      records.flatMap((record) =>
        record.type === 'run-start' ? [`${record.run.agent} ${record.run.depth}`] : [],
      ),
    ).toEqual(['session 0', 'scout 1'])
    const ended = records.flatMap((record) => (record.type === 'run-end' ? [record.runId] : []))
    expect(new Set(ended).size).toBe(2)
  })

  it('can use another model by name', async () => {
    const other = ScriptedModel.with({ id: 'other/model' }, says('From the other.'))
    const events = recordEvents()
    const model = scriptedAgents({ boss: [delegate('scout'), says('ok')] })
    await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [agent('scout', { model: 'other/model' })],
      findModel: () => other,
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(other.requests).toBe(1)
    expect(events.of('turn-start')[1]).toMatchObject({ model: 'other/model' })
  })

  it('has its answer cut to maxResultChars without splitting a character', async () => {
    const model = scriptedAgents({ boss: [delegate('scout'), says('ok')], scout: [says('ab😀')] })
    await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [agent('scout', { maxResultChars: 3 })],
      input: 'go',
    })
    expect(lastResult(requestsOf(model, 'boss')[1]!)).toBe('ab\n[cut: 6 bytes in all, 2 are shown]')
  })
})

describe('nested sub-agents', () => {
  const greatgrandchild = agent('four')
  const family = agent('one', {
    agents: [agent('two', { agents: [agent('three', { agents: [greatgrandchild] })] })],
  })

  it('run up to three levels deep, each started by the one above', async () => {
    const events = recordEvents()
    const model = scriptedAgents({
      boss: [delegate('one'), says('boss done')],
      one: [delegate('two'), says('one done')],
      two: [delegate('three'), says('two done')],
      three: [says('three done')],
    })
    const outcome = await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [family],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'boss done' })
    expect(events.of('turn-start').map(({ depth }) => depth)).toEqual([0, 1, 2, 3])
    expect(outcome.usage.inputTokens).toBe(70)
  })

  it('are refused at the fourth level with a failure, and nothing runs', async () => {
    const events = recordEvents()
    const model = scriptedAgents({
      boss: [delegate('one'), says('boss done')],
      one: [delegate('two'), says('one done')],
      two: [delegate('three'), says('two done')],
      three: [delegate('four'), says('three did it alone')],
    })
    const outcome = await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [family],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome.type).toBe('done')
    expect(requestsOf(model, 'four')).toEqual([])
    const refused = events.of('tool-end').find(({ ok }) => !ok)
    expect(refused).toMatchObject({
      tool: 'delegate_to_four',
      failure: { class: 'unsupported', evidence: { rule: 'spawn-depth', fact: 'attempted 4, max 3' } },
    })
    expect(Math.max(...events.of('turn-start').map(({ depth }) => depth))).toBe(3)
  })

  it('cannot start an agent that is not in their definition', async () => {
    const events = recordEvents()
    const model = scriptedAgents({
      boss: [delegate('one'), says('ok')],
      one: [delegate('one'), says('alone')],
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      agents: [agent('one')],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'not_found' } })
    expect(requestsOf(model, 'one')[0]!.tools).toEqual([])
  })
})

describe('the tools of a sub-agent', () => {
  const all = ['mail_read', 'mail_send', 'look'].map((name) => stubTool(name))
  const offered = async (more: Partial<AgentDefinition>, tools: readonly Tool[] | ToolSource = all) => {
    const model = scriptedAgents({
      boss: [delegate('scout'), says('ok')],
      scout: [calls('mail_send'), says('ok')],
    })
    const events = recordEvents()
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools,
      agents: [agent('scout', more)],
      input: 'go',
      onEvent: events.onEvent,
    })
    const sent = events.of('tool-end').find(({ tool }) => tool === 'mail_send')
    return { names: requestsOf(model, 'scout')[0]!.tools.map(({ name }) => name), couldSend: sent?.ok }
  }

  it.each([
    ['are its parent’s by default', {}, ['mail_read', 'mail_send', 'look'], true],
    ['are those on its list', { tools: ['look', 'nowhere'] }, ['look'], false],
    ['are none when the list is empty', { tools: [] }, [], false],
    ['are without those denied', { deny: ['mail_send'] }, ['mail_read', 'look'], false],
    ['are without those denied by their beginning', { deny: ['mail_*'] }, ['look'], false],
    [
      'exclude denied tools that are also on the list',
      { tools: ['mail_send'], deny: ['mail_send'] },
      [],
      false,
    ],
  ])('%s', async (_what, more, names, couldSend) => {
    expect(await offered(more)).toEqual({ names, couldSend })
  })

  it('are none when its list is empty and its parent has live tools', async () => {
    expect(await offered({ tools: [] }, createLiveTools(all))).toEqual({ names: [], couldSend: false })
  })

  it('include delegate tools only when its definition has agents', async () => {
    const { names } = await offered({ agents: [agent('helper')] })
    expect(names).toEqual([
      'mail_read',
      'mail_send',
      'look',
      'delegate_to_helper',
      'continue_agent',
      'spawn_agent',
      'wait_agent',
      'steer_agent',
      'list_agents',
      'close_agent',
    ])
  })

  it('include a tool that a live source adds mid-run', async () => {
    const live = createLiveTools([
      stubTool('connect', () => void live.add(stubTool('late', () => 'late result'))),
    ])
    const model = scriptedAgents({
      boss: [delegate('scout'), says('ok')],
      scout: [calls('connect'), calls('call_tool', { name: 'late', arguments: {} }), says('ok')],
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools: live,
      agents: [agent('scout')],
      input: 'go',
    })
    expect(lastResult(requestsOf(model, 'scout')[2]!)).toBe('late result')
  })
})

describe('the compaction of a sub-agent’s outputs', () => {
  const rows = Array.from({ length: 400 }, (_, n) => ({ id: n, name: `row ${n}`, state: 'open' }))
  const list = stubTool('list', () => JSON.stringify(rows, null, 2))

  it.each([
    ['is inherited from its parent', undefined, true],
    ['is off when its definition says so', 'off', false],
  ] as const)('%s', async (_how, compaction, isShorter) => {
    const model = new ScriptedModel(
      calls('delegate_to_scout', { prompt: 'look' }),
      calls('list'),
      says('Seen.'),
      says('Done.'),
    )
    const scout = {
      id: 'scout',
      description: 'looks',
      instructions: 'Look.',
      ...(compaction && { compaction }),
    }
    await runStateless({ model, tools: [list], agents: [scout], input: 'go' })
    const seen = textOf(model.request(2).messages.at(-1)!)
    expect(seen.includes('"id": 7,\n')).toBe(!isShorter)
  })
})
