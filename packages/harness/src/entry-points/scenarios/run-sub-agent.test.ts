import type { AgentDefinition, SubAgentResult, Tool, ToolContext } from '@capstan/harness'
import { ConfigurationError, createThreads, defineTool } from '@capstan/harness'
import { createMemoryStore } from '@capstan/harness/stores'
import { runStateless, runSubAgent } from '@capstan/harness'
import type { Step } from '@capstan/harness/testing'
import {
  calls,
  checkInvariants,
  createTestRun,
  recordEvents,
  says,
  ScriptedModel,
} from '@capstan/harness/testing'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'

const scout: AgentDefinition = { id: 'scout', description: 'Scouts.', instructions: 'You are scout.' }

/** A model with a script per agent. The system prompt tells which agent asks. */
function scriptedAgents(scripts: Readonly<Record<string, readonly Step[]>>): ScriptedModel {
  const queues = new Map(Object.entries(scripts).map(([who, steps]) => [who, [...steps]]))
  const next: Step = ({ system }) => {
    const who = [...queues.keys()].find((id) => system.startsWith(`You are ${id}.`)) ?? 'boss'
    const step = queues.get(who)?.shift()
    if (step === undefined) throw new Error(`${who} has no more steps`)
    return step
  }
  return new ScriptedModel(...Array.from({ length: 50 }, () => next))
}
const requestsOf = (model: ScriptedModel, id: string) =>
  Array.from({ length: model.requests }, (_, n) => model.request(n)).filter(({ system }) =>
    system.startsWith(`You are ${id}.`),
  )

const tool = (name: string, run: (context: ToolContext) => unknown, more: Partial<Tool> = {}): Tool =>
  defineTool({
    name,
    description: name,
    effect: 'read',
    ...more,
    input: { type: 'object' },
    run: (_args, context) => run(context),
  })
const look = tool('look', () => 'seen')
const send = tool('send', () => 'sent', { effect: 'write' })

describe('a sub-agent started by a tool', () => {
  it('gets tools, rights and a budget from the agent that called the tool, and reports below the call', async () => {
    const model = scriptedAgents({
      boss: [calls('survey', {}, { id: 'c1' }), says('ok')],
      scout: [calls('look'), says('All quiet.')],
    })
    const events = recordEvents()
    const results: SubAgentResult[] = []
    const survey = tool('survey', async (context) => {
      const definition = { ...scout, tools: ['look'] }
      const result = await runSubAgent(
        definition,
        { prompt: 'Look.', context: 'It is night.' },
        { parent: context },
      )
      results.push(result)
      return result.text
    })
    const outcome = await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [survey, look, send],
      effectCeiling: 'read',
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'ok' })
    expect(results).toMatchObject([{ status: 'completed', text: 'All quiet.', usage: { inputTokens: 20 } }])
    expect(outcome.usage.inputTokens).toBe(40)
    const [asked] = requestsOf(model, 'scout')
    expect(asked!.tools.map(({ name }) => name)).toEqual(['look'])
    expect(requestsOf(model, 'boss')[1]!.messages.at(-1)).toMatchObject({
      tool: 'survey',
      text: 'All quiet.',
    })
    const [turn, child] = events.of('turn-start')
    expect(child).toMatchObject({
      agent: 'scout',
      depth: 1,
      text: 'Look.',
      parent: { runId: turn!.runId, callId: 'c1' },
    })
  })

  it('returns a typed result when its definition has an output schema', async () => {
    const Count = z.object({ count: z.number() })
    const model = scriptedAgents({
      boss: [calls('count'), says('ok')],
      scout: [calls('submit_final_result', { count: 3 })],
    })
    const counted: unknown[] = []
    const count = tool('count', async (context) => {
      const result = await runSubAgent({ ...scout, output: Count }, { prompt: 'Count.' }, { parent: context })
      expectTypeOf(result.output).toEqualTypeOf<{ count: number } | undefined>()
      counted.push(result.output)
      return 'counted'
    })
    await runStateless({ model, instructions: 'You are boss.', tools: [count], input: 'go' })
    expect(counted).toEqual([{ count: 3 }])
  })

  it('may start another one; the fourth level is refused', async () => {
    const depths: number[] = []
    const statuses: string[] = []
    const deeper = tool('deeper', async (context) => {
      depths.push(context.run.depth)
      const result = await runSubAgent(scout, { prompt: 'deeper' }, { parent: context })
      statuses.push(result.status)
      return result.text
    })
    const model = scriptedAgents({
      boss: [calls('deeper'), says('ok')],
      scout: [calls('deeper'), calls('deeper'), calls('deeper'), says('c'), says('b'), says('a')],
    })
    await runStateless({ model, instructions: 'You are boss.', tools: [deeper], input: 'go' })
    expect(depths).toEqual([0, 1, 2, 3])
    expect(statuses).toEqual(['failed', 'completed', 'completed', 'completed'])
  })

  it('cannot exceed the effect ceiling of the agent that called the tool', async () => {
    const model = scriptedAgents({
      boss: [calls('work'), says('ok')],
      scout: [calls('send'), says('refused')],
    })
    const events = recordEvents()
    const work = tool('work', (context) =>
      runSubAgent({ ...scout, effectCeiling: 'admin' }, { prompt: 'send' }, { parent: context }),
    )
    const safety = { mode: 'full' } as const
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [work, send],
      effectCeiling: 'read',
      safety,
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.of('tool-end').find((end) => end.tool === 'send')).toMatchObject({ ok: false })
  })

  it('that asks a question continues with an answer', async () => {
    const ask = tool('ask', () => 'Which one?', { endsTurn: true })
    const model = scriptedAgents({
      boss: [calls('work'), says('ok')],
      scout: [calls('ask'), says('The red one.')],
    })
    const statuses: string[] = []
    const work = tool('work', async (context) => {
      const first = await runSubAgent(scout, { prompt: 'pick' }, { parent: context })
      const { continuation } = first
      const second = await runSubAgent(
        scout,
        { prompt: 'red' },
        { parent: context, ...(continuation && { continuation }) },
      )
      statuses.push(first.status, second.status)
      return second.text
    })
    await runStateless({ model, instructions: 'You are boss.', tools: [work, ask], input: 'go' })
    expect(statuses).toEqual(['awaiting-user', 'completed'])
    expect(requestsOf(model, 'scout')[1]!.messages).toHaveLength(4)
  })

  it('needs a tool that can be run again', async () => {
    const model = scriptedAgents({ boss: [calls('work'), says('ok')] })
    const events = recordEvents()
    const work = tool('work', (context) => runSubAgent(scout, { prompt: 'go' }, { parent: context }), {
      effect: 'write',
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [work],
      safety: { mode: 'full' },
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(events.of('tool-end')[0]).toMatchObject({
      ok: false,
      output: expect.stringContaining('honour keys'),
    })
  })

  it('needs the context of a running agent', async () => {
    const parent = {
      callId: 'c' as never,
      idempotencyKey: 'k',
      signal: AbortSignal.timeout(1),
      run: createTestRun(),
    }
    await expect(runSubAgent(scout, { prompt: 'go' }, { parent })).rejects.toThrow(ConfigurationError)
  })

  it.each([
    ['answers at once', (): unknown => 'x'],
    ['answers later', async (): Promise<unknown> => 'x'],
    [
      'fails later',
      async (): Promise<unknown> => {
        throw new Error('no')
      },
    ],
  ])('is refused when its call is over: a tool that %s', async (_, answer) => {
    const model = scriptedAgents({ boss: [calls('work'), says('ok')], scout: [says('late')] })
    const events = recordEvents()
    let saved: ToolContext | undefined
    const work = tool('work', (context) => {
      saved = context
      return answer()
    })
    await runStateless({
      model,
      instructions: 'You are boss.',
      tools: [work],
      input: 'go',
      onEvent: events.onEvent,
    })
    const late = runSubAgent(scout, { prompt: 'go' }, { parent: saved! })
    await expect(late).rejects.toThrow(new ConfigurationError('parent', 'the call is over'))
    expect(events.all.at(-1)).toMatchObject({ type: 'turn-end' })
    expect(requestsOf(model, 'scout')).toHaveLength(0)
  })
})

describe('two sub-agents of one call', () => {
  it('are resumed in another process after a wait, and do nothing twice', async () => {
    const store = createMemoryStore()
    const sent: string[] = []
    const model = scriptedAgents({
      boss: [calls('work'), says('ok')],
      scout: [calls('look'), says('first'), calls('send'), says('second')],
    })
    const start = () => {
      const work = tool('work', async (context) => {
        const one = await runSubAgent(scout, { prompt: 'one' }, { parent: context })
        const two = await runSubAgent(scout, { prompt: 'two' }, { parent: context })
        return `${one.text} ${two.text}`
      })
      return createThreads({
        store,
        agent: {
          model,
          instructions: 'You are boss.',
          origin: 'web',
          tools: [work, look, tool('send', () => sent.push('mail'), { effect: 'write' })],
        },
      })
    }
    const before = start()
    const { id } = await before.create()
    await (await before.open(id)).submit('go')
    await before.idle()
    const after = start()
    const [pending] = await after.pendingApprovals()
    await after.answer(pending!.id, 'allow-once')
    await after.idle()
    expect(sent).toEqual(['mail'])
    expect(requestsOf(model, 'boss')[1]!.messages.at(-1)).toMatchObject({
      tool: 'work',
      text: 'first second',
    })
    expect(requestsOf(model, 'scout')).toHaveLength(4)
    expect(await checkInvariants(store, [id])).toEqual([])
  })

  it('that are both parked end when the turn is stopped', async () => {
    const store = createMemoryStore()
    const model = scriptedAgents({ boss: [calls('work')], scout: [calls('send'), calls('send', { n: 2 })] })
    const work = tool('work', async (context) => {
      const both = ['a', 'b'].map((name) => runSubAgent(scout, { prompt: name }, { parent: context, name }))
      const settled = await Promise.allSettled(both)
      for (const one of settled) if (one.status === 'rejected') throw one.reason
      return 'done'
    })
    const threads = createThreads({
      store,
      agent: { model, instructions: 'You are boss.', origin: 'web', tools: [work, send] },
    })
    const { id } = await threads.create()
    const session = await threads.open(id)
    const { outcome } = await session.submit('go')
    await threads.idle()
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(await checkInvariants(store, [id])).toEqual([])
  })
})

describe('a sub-agent started by a program', () => {
  it('is a run without a parent, with the tools its definition allows', async () => {
    const model = new ScriptedModel(calls('look'), says('All quiet.'))
    const events = recordEvents()
    const definition = { ...scout, tools: ['look'], maxIterations: 3 }
    const result = await runSubAgent(
      definition,
      { prompt: 'Look.' },
      { model, tools: [look, send], onEvent: events.onEvent },
    )
    expect(result).toMatchObject({ status: 'completed', text: 'All quiet.' })
    expect(model.request(0).tools.map(({ name }) => name)).toEqual(['look'])
    expect(events.of('turn-start')).toMatchObject([{ agent: 'scout', depth: 0, text: 'Look.' }])
    expect(events.of('iteration-start')[0]).toMatchObject({ maxIterations: 3 })
  })

  it('returns a typed result, or a failure without one', async () => {
    const definition = { ...scout, output: z.object({ n: z.number() }) }
    const good = await runSubAgent(
      definition,
      { prompt: 'n?' },
      { model: new ScriptedModel(calls('submit_final_result', { n: 1 })) },
    )
    expectTypeOf(good.output).toEqualTypeOf<{ n: number } | undefined>()
    expect(good).toMatchObject({ status: 'completed', output: { n: 1 } })
    const bad = await runSubAgent(
      definition,
      { prompt: 'n?' },
      { model: new ScriptedModel(says('one'), says('1')) },
    )
    expect(bad).toMatchObject({ status: 'failed', failure: { class: 'invalid_input' } })
    expect(bad).not.toHaveProperty('output')
  })

  it('uses the lower of both budgets and can be continued after its cap', async () => {
    const model = new ScriptedModel(calls('look'), says('So far.'), says('Done.'))
    const options = { model, tools: [look], budget: { iterations: 2 } }
    const first = await runSubAgent({ ...scout, budget: { iterations: 1 } }, { prompt: 'Look.' }, options)
    expect(first).toMatchObject({ status: 'incomplete', failure: { class: 'too_large' } })
    const { continuation } = first
    const second = await runSubAgent(scout, { prompt: 'Go on.' }, { ...options, continuation: continuation! })
    expect(second.status).toBe('completed')
  })

  it('tells what it changed, and is not done when a write of it failed', async () => {
    const broken = tool('pay', () => Promise.reject(new Error('no funds')), { effect: 'write' })
    const options = { tools: [send, broken], safety: { mode: 'full' } } as const
    const run = (...steps: Step[]) =>
      runSubAgent(scout, { prompt: 'Send it.' }, { ...options, model: new ScriptedModel(...steps) })
    const done = await run(calls('send'), says('Sent.'))
    expect(done).toMatchObject({ status: 'completed', account: 'It did this, and it stays done: send.' })
    const half = await run(calls('send'), calls('pay'), says('All done.'))
    expect(half).toMatchObject({ status: 'incomplete', account: done.account })
    expect(half.failure).toBeDefined()
  })

  it('stops on its signal', async () => {
    const controller = new AbortController()
    const stop = tool('stop', () => controller.abort())
    const result = await runSubAgent(
      scout,
      { prompt: 'go' },
      {
        model: new ScriptedModel(calls('stop')),
        tools: [stop],
        signal: controller.signal,
      },
    )
    expect(result).toMatchObject({ status: 'failed', failure: { class: 'cancelled' } })
  })

  it('may have sub-agents of its own', async () => {
    const model = scriptedAgents({
      lead: [calls('delegate_to_scout', { prompt: 'look' }), says('ok')],
      scout: [says('seen')],
    })
    const lead: AgentDefinition = {
      id: 'lead',
      description: 'Leads.',
      instructions: 'You are lead.',
      agents: [scout],
    }
    const result = await runSubAgent(lead, { prompt: 'go' }, { model })
    expect(result).toMatchObject({ status: 'completed', text: 'ok' })
  })
})
