import { describe, expect, it } from 'vitest'
import { toLimits } from '../../entry-points/agent-options.ts'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import type { ScriptedReply } from '../../testing/index.ts'
import {
  calls,
  callsMany,
  createTestClock,
  findUnpairedCalls,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import { ConfigurationError } from '../../turn/errors.ts'
import { textOf } from '../../turn/message/message.ts'

const clockTool = stubTool('clock', () => '12:00')
const counting = stubTool('clock', ({ n }: { n: number }) => `look number ${n}`)
const asks = (n: number): ScriptedReply => calls('clock', { n })
const looping = (times: number) => Array.from({ length: times }, (_, n) => asks(n))

describe('the iteration cap', () => {
  it.each([
    ['by default', {}],
    ['when it is zero', { limits: { maxIterations: 0 } }],
    ['when it is undefined', { limits: { maxIterations: undefined } }],
  ])('is ten %s', async (_why, options) => {
    const model = new ScriptedModel(...looping(10))
    const outcome = await runStateless({ model, tools: [clockTool], input: 'go', ...options })
    expect(outcome).toMatchObject({ type: 'failed', iterations: 10, cap: { kind: 'iterations', limit: 10 } })
    expect(model.requests).toBe(10)
  })

  it('can be set by the caller', async () => {
    const model = new ScriptedModel(...looping(2))
    const outcome = await runStateless({
      model,
      tools: [clockTool],
      input: 'go',
      limits: { maxIterations: 2 },
    })
    expect(outcome).toMatchObject({ type: 'failed', cap: { kind: 'iterations', limit: 2 } })
  })

  it.each([-1, Number.NaN])('cannot be %d: the settings are refused', async (maxIterations) => {
    const turn = async () =>
      runStateless({ model: new ScriptedModel(), input: 'go', limits: { maxIterations } })
    await expect(turn()).rejects.toThrow('limits.maxIterations')
  })

  it('fails a stateless turn with the limit, in words for the user', async () => {
    const outcome = await runStateless({
      model: new ScriptedModel(asks(1)),
      tools: [clockTool],
      input: 'go',
      limits: { maxIterations: 1 },
    })
    expect(outcome).toMatchObject({
      type: 'failed',
      cap: { kind: 'iterations', limit: 1 },
      failure: { class: 'quota_exhausted', recoverable: false },
    })
    expect(outcome.text).toContain('1')
  })
})

describe('invalid settings', () => {
  it.each([
    ['limits.model.attempts', { model: { attempts: Number.NaN } }],
    ['limits.model.idleTimeoutMs', { model: { idleTimeoutMs: -1 } }],
    ['limits.tools.timeoutMs', { tools: { timeoutMs: Number.NaN } }],
    ['limits.maxCalls', { maxCalls: -1 }],
    ['limits.parallelReads', { parallelReads: Number.NaN }],
    ['limits.media.maxImages', { media: { maxImages: Number.NaN } }],
  ])('are refused with the name of the field: %s', (field, limits) => {
    expect(() => createSession({ model: new ScriptedModel(), limits })).toThrow(field)
  })

  it('reject the promise instead of throwing', async () => {
    const turn = runStateless({ model: new ScriptedModel(), input: 'go', limits: { maxIterations: -1 } })
    await expect(turn).rejects.toBeInstanceOf(ConfigurationError)
  })

  it('do not include fields that are undefined', () => {
    const limits = { maxIterations: undefined, model: { idleTimeoutMs: undefined }, tools: undefined }
    expect(toLimits(limits)).toEqual(toLimits())
  })
})

describe('the call cap of a turn', () => {
  it('is eight calls per allowed iteration; further calls get a result and do not run', async () => {
    let ran = 0
    const model = new ScriptedModel(
      callsMany(Array.from({ length: 20 }, (_, n) => ({ tool: 'count', args: { n } }))),
      calls('count', { n: 99 }),
      says('ok'),
    )
    const session = createSession({
      model,
      tools: [stubTool('count', () => ++ran)],
      limits: { maxIterations: 2 },
    })
    await session.send('go')
    expect(ran).toBe(16)
    expect(findUnpairedCalls(session.messages)).toEqual([])
    const results = session.messages.filter(({ role }) => role === 'tool').map(textOf)
    expect(results).toHaveLength(21)
    expect(results[15]).toBe('16')
    for (const result of results.slice(16)) expect(result).toContain('too many calls')
  })

  it('is at least eight, and can be set by the caller', async () => {
    const many = callsMany(Array.from({ length: 12 }, (_, n) => ({ tool: 'count', args: { n } })))
    let ran = 0
    const tools = [stubTool('count', () => ++ran)]
    await runStateless({ model: new ScriptedModel(many), tools, input: 'go', limits: { maxIterations: 1 } })
    expect(ran).toBe(8)
    ran = 0
    await runStateless({
      model: new ScriptedModel(many),
      tools,
      input: 'go',
      limits: { maxIterations: 1, maxCalls: 3 },
    })
    expect(ran).toBe(3)
  })
})

describe('a budget', () => {
  it.each([
    ['tokens', { tokens: 40 }, 3],
    ['usd', { usd: 0.0025 }, 3],
    ['iterations', { iterations: 2 }, 2],
  ] as const)('of %s ends the turn before the call that would exceed it', async (kind, budget, requests) => {
    const model = new ScriptedModel(...looping(requests))
    const outcome = await runStateless({ model, tools: [clockTool], input: 'go', budget })
    expect(outcome).toMatchObject({ type: 'failed', cap: { kind } })
    expect(model.requests).toBe(requests)
  })

  it('of time ends the turn between its steps', async () => {
    const clock = createTestClock()
    const slow = stubTool('slow', () => clock.advance(700))
    const model = new ScriptedModel(calls('slow'), calls('slow', { n: 2 }))
    const outcome = await runStateless({
      model,
      clock,
      tools: [slow],
      input: 'go',
      budget: { wallClockMs: 1_000 },
    })
    expect(outcome).toMatchObject({ type: 'failed', cap: { kind: 'wall-clock', limit: 1_000 } })
  })

  it('of time limits a tool without its own deadline', async () => {
    const clock = createTestClock()
    const tool = stubTool('sleep', () => new Promise<never>(() => {}), { timeoutMs: false })
    const turn = runStateless({
      model: new ScriptedModel(calls('sleep')),
      clock,
      tools: [tool],
      input: 'go',
      budget: { wallClockMs: 1_000 },
    })
    await clock.waiting()
    await clock.advance(6_000)
    expect(await turn).toMatchObject({ type: 'failed', cap: { kind: 'wall-clock' } })
  })

  const nothing = [Number.NaN, 0, -1, Number.NEGATIVE_INFINITY]
  const kinds = ['iterations', 'tokens', 'usd', 'wallClockMs'] as const
  it.each(kinds.flatMap((kind) => nothing.map((limit) => [kind, limit] as const)))(
    'of %s that is %d stops at once: the model is not called, even for a summary',
    async (kind, limit) => {
      const model = new ScriptedModel()
      const budget = { [kind]: limit }
      const chat = await createSession({ model, budget }).send('go')
      const channel = await runStateless({ model, budget, input: 'go' })
      expect(chat).toMatchObject({ type: 'capped' })
      expect(channel).toMatchObject({ type: 'failed', iterations: 0 })
      expect(model.requests).toBe(0)
      expect(JSON.parse(JSON.stringify(chat))).toEqual(chat)
    },
  )

  it('is two hundred model calls and ten minutes by default', async () => {
    const clock = createTestClock()
    const limits = { maxIterations: 1_000 }
    const many = runStateless({
      model: new ScriptedModel(...looping(200)),
      tools: [counting],
      limits,
      input: 'go',
    })
    expect(await many).toMatchObject({ type: 'failed', cap: { kind: 'iterations', limit: 200 } })
    const slow = stubTool('slow', () => clock.advance(100_000))
    const steps = Array.from({ length: 6 }, (_, n) => calls('slow', { n }))
    const long = runStateless({
      model: new ScriptedModel(...steps),
      clock,
      tools: [slow],
      guards: () => [],
      input: 'go',
    })
    expect(await long).toMatchObject({ type: 'failed', cap: { kind: 'wall-clock', limit: 600_000 } })
  })

  it('is new for each turn of a session', async () => {
    const model = new ScriptedModel(says('a'), says('b'))
    const session = createSession({ model, budget: { iterations: 1 } })
    expect(await session.send('one')).toMatchObject({ type: 'done' })
    expect(await session.send('two')).toMatchObject({ type: 'done' })
  })
})
