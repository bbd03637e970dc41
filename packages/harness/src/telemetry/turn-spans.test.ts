import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createSession } from '../entry-points/session/session.ts'
import { killAfterCommit } from '../entry-points/scenarios/killable-store.fixture.ts'
import { runStateless } from '../entry-points/stateless-loop.ts'
import { createThreads } from '../entry-points/threads/threads.ts'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import type { Store } from '../ports/store.ts'
import { ALLOW_ALL, ScriptedModel, calls, fails, says, stalls, stubTool } from '../testing/index.ts'
import type { Step } from '../testing/index.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import { ATTRIBUTE } from './names.ts'
import { runSpanIdOf, traceIdOf } from './run-ids.ts'
import { traceRuns } from './traced-runs.fixture.ts'

const clerk = { id: 'clerk', description: 'clerks', instructions: 'You file things.' }
const look = stubTool('look', () => 'a drawer')

describe('the spans of a turn', () => {
  it('form one tree with its sub-agent, under the trace of its run', async () => {
    const traced = traceRuns()
    const session = createSession({
      model: new ScriptedModel(
        calls('delegate_to_clerk', { prompt: 'File it.' }),
        calls('look'),
        says('Filed.'),
        says('Done.'),
      ),
      agents: [clerk],
      tools: [look],
      safety: ALLOW_ALL,
      observers: [traced.observer],
    })
    const { runId, outcome } = await session.submit('File the letter.')
    await outcome
    expect(traced.tree()).toEqual([
      'execute_tool delegate_to_clerk > invoke_agent clerk',
      'invoke_agent clerk > chat model',
      'invoke_agent clerk > chat model',
      'invoke_agent clerk > execute_tool look',
      'invoke_agent session',
      'invoke_agent session > chat model',
      'invoke_agent session > chat model',
      'invoke_agent session > execute_tool delegate_to_clerk',
    ])
    const spans = traced.spans()
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceIdOf(runId!)]))
    const root = spans.find(({ name }) => name === 'invoke_agent session')!
    expect(root.spanContext().spanId).toBe(runSpanIdOf(runId!))
    expect(root.attributes).toMatchObject({
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.provider.name': 'scripted',
      'gen_ai.agent.name': 'session',
      'gen_ai.conversation.id': session.threadId,
      'gen_ai.request.model': 'model',
      'capstan.outcome': 'done',
    })
    const chat = spans.find(({ name }) => name === 'chat model')!
    expect(chat.kind).toBe(SpanKind.CLIENT)
    expect(chat.attributes).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'model',
      'gen_ai.response.finish_reasons': ['tool_call'],
    })
    expect(chat.attributes[ATTRIBUTE.inputTokens]).toBeGreaterThan(0)
    expect(chat.attributes[ATTRIBUTE.firstChunk]).toBeGreaterThanOrEqual(0)
  })

  it('say why a call and the turn failed, by class', async () => {
    const traced = traceRuns()
    await runStateless({
      input: 'Go.',
      model: new ScriptedModel(calls('break_it'), fails({ httpStatus: 401 })),
      tools: [stubTool('break_it', () => fail('no', { httpStatus: 404 }))],
      safety: ALLOW_ALL,
      observers: [traced.observer],
    })
    const failed = traced.spans().filter(({ status }) => status.code === SpanStatusCode.ERROR)
    expect(failed.map(({ name, attributes }) => [name, attributes[ATTRIBUTE.errorType]])).toEqual([
      ['execute_tool break_it', 'not_found'],
      ['chat model', 'bad_credentials'],
      ['invoke_agent stateless', 'bad_credentials'],
    ])
  })

  it('are all left out when the turn is not sampled', async () => {
    const traced = traceRuns({ ratio: 0 })
    const model = new ScriptedModel(calls('look'), says('Done.'))
    await runStateless({ input: 'Go.', model, tools: [look], observers: [traced.observer] })
    expect(traced.spans()).toEqual([])
  })

  it('contain no name that a model wrote as it is', async () => {
    const traced = traceRuns()
    const model = new ScriptedModel(calls(`x\n${'y'.repeat(5_000)}`), says('Done.'))
    await runStateless({ input: 'Go.', model, tools: [look], observers: [traced.observer] })
    const names = traced.spans().map(({ name }) => name)
    expect(names.every((name) => name.length < 130 && !name.includes('\n'))).toBe(true)
  })
})

describe('contents', () => {
  const KEY = `sk-proj-${'a1B2c3D4'.repeat(6)}`
  const run = async (traced: ReturnType<typeof traceRuns>) => {
    const model = new ScriptedModel(calls('look', { at: `the red box, ${KEY}` }), says('A drawer it is.'))
    const tool = stubTool('look', () => `a drawer with ${KEY}`)
    await runStateless({ input: 'Where is it?', model, tools: [tool], observers: [traced.observer] })
    return JSON.stringify(traced.spans().map(({ name, attributes, events }) => [name, attributes, events]))
  }

  it('are not in the spans unless it is asked for', async () => {
    const text = await run(traceRuns())
    for (const part of ['Where is it', 'red box', 'a drawer', 'A drawer it is'])
      expect(text).not.toContain(part)
  })

  it('are in the spans when it is asked for, without secrets', async () => {
    const text = await run(traceRuns({ content: true }))
    for (const part of ['Where is it', 'red box', 'a drawer', 'A drawer it is']) expect(text).toContain(part)
    expect(text).not.toContain(KEY)
  })
})

describe('a turn that is killed', () => {
  const THREAD = 'thread_1' as ThreadId

  async function start(store: Store, steps: readonly Step[]) {
    const traced = traceRuns()
    const process = killAfterCommit(store)
    const threads = createThreads({
      store: process.store,
      agent: {
        model: new ScriptedModel(...steps),
        tools: [look],
        agents: [clerk],
        safety: ALLOW_ALL,
        observers: [traced.observer],
      },
    })
    await threads.create({ id: THREAD })
    return { traced, threads, session: await threads.open(THREAD), kill: () => process.kill() }
  }

  it('goes on in the same trace, and both processes together have the whole tree', async () => {
    const store = createMemoryStore()
    const delegate = calls('delegate_to_clerk', { prompt: 'File it.' })
    const stalled = stalls()
    const before = await start(store, [delegate, calls('look'), stalled])
    const { runId } = await before.session.submit('File the letter.')
    await expect.poll(() => before.traced.tree().length).toBe(3)
    before.kill()

    const after = await start(store, [says('Filed.'), says('Done.')])
    await after.threads.resume()
    await after.threads.idle()
    const spans = [...before.traced.spans(), ...after.traced.spans()]
    expect(new Set(spans.map((span) => span.spanContext().traceId))).toEqual(new Set([traceIdOf(runId!)]))
    const known = new Set(spans.map((span) => span.spanContext().spanId))
    const orphans = spans.filter(({ parentSpanContext: parent }) => parent && !known.has(parent.spanId))
    expect(orphans.map(({ name }) => name)).toEqual([])
    expect(before.traced.tree()).not.toContain('invoke_agent session')
    const [root] = spans.filter(({ name }) => name === 'invoke_agent session')
    const first = spans[0]!
    expect(root!.startTime[0] * 1e3 + root!.startTime[1] / 1e6).toBeLessThanOrEqual(
      first.startTime[0] * 1e3 + first.startTime[1] / 1e6,
    )
    expect(root!.events.map(({ name }) => name)).toEqual(['turn-resume'])
  })
})
