import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import { getEventListeners } from 'node:events'
import { createTestClock, createTestPath, createTestRun, stubTool } from '../testing/index.ts'
import { Budget } from '../turn/budget.ts'
import { systemClock } from '../turn/clock.ts'
import type { RunContext } from '../turn/run-context.ts'
import { fail, succeed } from '../turn/tool/tool-outcome.ts'
import type { Tool, ToolContext } from '../turn/tool/tool.ts'
import { execute } from './execute.ts'
import type { ToolLimits } from './tool-path.ts'

const callId = 'call_1' as CallId

function start(tool: Tool, more: Partial<RunContext> & { readonly limits?: Partial<ToolLimits> } = {}) {
  const { limits, ...given } = more
  const run = createTestRun(given)
  const path = createTestPath([tool], { run, limits })
  return execute(tool, {}, { id: callId, tool: tool.name, arguments: {} }, path)
}

const never = () => new Promise<never>(() => {})

describe('a tool that returns', () => {
  const query = {}
  Reflect.set(query, 'then', (go: (value: string) => void) => go('odd'))

  it.each([
    ['text', 'hello', 'hello'],
    ['nothing', undefined, 'Done.'],
    ['null', null, 'null'],
    ['an object', { a: [1] }, '{"a":[1]}'],
    ['a number', 0, '0'],
    ['no', false, 'false'],
    ['empty text', '', ''],
    ['a promise', Promise.resolve('later'), 'later'],
    ['something that only resembles a promise', query, 'odd'],
    ['its own outcome', succeed('fine'), 'fine'],
  ])('%s is a success', async (_what, value, expected) => {
    expect(await start(stubTool('x', () => value))).toMatchObject({ ok: true, text: expected })
  })

  it('a failure is believed', async () => {
    const outcome = await start(stubTool('x', () => fail('no such page', { httpStatus: 404 })))
    expect(outcome).toMatchObject({ ok: false, text: 'no such page', httpStatus: 404 })
  })

  const circle: Record<string, unknown> = {}
  circle['self'] = circle

  it.each([
    ['a circle', circle],
    ['a number beyond JSON', { big: 1n }],
  ])('a value that cannot be written as text is a failure: %s', async (_what, value) => {
    expect(await start(stubTool('x', () => value))).toMatchObject({ ok: false })
  })

  it('an outcome whose text is not a string is still written as text', async () => {
    const outcome = await start(stubTool('x', () => succeed(undefined as unknown as string)))
    expect(typeof outcome.text).toBe('string')
  })

  it('gets its call, its run, a signal, and an idempotency key that is the same for the same call', async () => {
    const seen: ToolContext[] = []
    const tool = stubTool('x', (_args, context) => void seen.push(context))
    await start(tool)
    await start(tool)
    expect(seen[0]).toMatchObject({ callId, run: { agent: 'test' } })
    expect(seen[0]!.signal.aborted).toBe(false)
    expect(seen[0]!.idempotencyKey).toBe(seen[1]!.idempotencyKey)
  })
})

describe('a tool that throws', () => {
  const trap = new Proxy(
    {},
    {
      get() {
        throw new Error('get')
      },
      has() {
        throw new Error('has')
      },
      getPrototypeOf() {
        throw new Error('prototype')
      },
    },
  )
  const circular = new Error('round')
  circular.cause = circular
  const thrown: [string, unknown][] = [
    ['an error', new Error('broken')],
    ['a text', 'broken'],
    ['an empty text', ''],
    ['null', null],
    ['undefined', undefined],
    ['a number', 42],
    ['a symbol', Symbol('x')],
    ['a frozen object', Object.freeze({ message: 'frozen' })],
    ['an object without a prototype', Object.create(null)],
    ['an error with a circular cause', circular],
    ['something whose every property throws', trap],
    ['an error whose message is no text', Object.assign(new Error(), { message: 7 })],
    ['a function', () => 'x'],
  ]

  it.each(thrown)('%s fails with a reason, at once', async (_what, value) => {
    const outcome = await start(
      stubTool('x', () => {
        throw value
      }),
    )
    expect(outcome.ok).toBe(false)
    expect(outcome.text.trim()).not.toBe('')
  })

  it.each(thrown)(
    '%s later fails with a reason, and no rejection is left unhandled',
    async (_what, value) => {
      const outcome = await start(stubTool('x', () => Promise.reject(value)))
      expect(outcome.ok).toBe(false)
      expect(outcome.text.trim()).not.toBe('')
    },
  )

  it.each(thrown)('is not confused with one that returns %s', async (_what, value) => {
    expect(typeof (await start(stubTool('x', async () => value))).text).toBe('string')
  })

  it('keeps the facts of its error', async () => {
    const error = Object.assign(new Error('slow down'), { status: 429, retryAfterMs: 500, code: 'E_SLOW' })
    expect(await start(stubTool('x', () => Promise.reject(error)))).toMatchObject({
      text: 'slow down',
      httpStatus: 429,
      retryAfterMs: 500,
      errorCode: 'E_SLOW',
    })
  })

  it.each([
    [new DOMException('late', 'TimeoutError'), { timedOut: true }],
    [new DOMException('stopped', 'AbortError'), { cancelled: true }],
    [Object.assign(new Error('x'), { response: { status: 503 } }), { httpStatus: 503 }],
    [
      new Error('x', { cause: Object.assign(new Error('y'), { code: 'ECONNREFUSED' }) }),
      { errorCode: 'ECONNREFUSED' },
    ],
    [Object.assign(new Error('x'), { exitCode: 2 }), { exitCode: 2 }],
  ])('reports the facts it knows: %s', async (error, facts) => {
    expect(await start(stubTool('x', () => Promise.reject(error)))).toMatchObject(facts)
  })
})

describe('a tool that takes too long', () => {
  it('is aborted at its deadline, and abandoned after the grace time', async () => {
    const clock = createTestClock()
    let signal: AbortSignal | undefined
    const tool = stubTool('sleep', (_args, context) => {
      signal = context.signal
      return never()
    })
    const outcome = start(tool, { clock })
    await clock.advance(119_999)
    expect(signal?.aborted).toBe(false)
    await clock.advance(1)
    expect(signal?.aborted).toBe(true)
    let settled = false
    void Promise.resolve(outcome).then(() => (settled = true))
    await clock.advance(4_999)
    expect(settled).toBe(false)
    await clock.advance(1)
    expect(await outcome).toMatchObject({
      ok: false,
      timedOut: true,
      text: '"sleep" timed out after 120 seconds.',
    })
  })

  it('has failed even when it ends within the grace time, and then is no longer awaited', async () => {
    const clock = createTestClock()
    const tool = stubTool(
      'sleep',
      (_args, { signal }) =>
        new Promise((resolve) => signal.addEventListener('abort', () => resolve('just in time'))),
    )
    const outcome = start(tool, { clock })
    await clock.advance(120_000)
    expect(await outcome).toMatchObject({ ok: false, timedOut: true })
  })

  it('may declare its own deadline, or none', async () => {
    const clock = createTestClock()
    const quick = start(stubTool('quick', never, { timeoutMs: 50 }), { clock })
    const endless = start(
      stubTool('endless', () => new Promise((resolve) => clock.after(3_600_000, () => resolve('done')))),
      { clock, limits: { timeoutMs: 4_000_000 } },
    )
    const unbounded = start(
      stubTool('unbounded', () => new Promise((resolve) => clock.after(7_200_000, () => resolve('done'))), {
        timeoutMs: false,
      }),
      { clock },
    )
    await clock.advance(5_050)
    expect(await quick).toMatchObject({ timedOut: true })
    await clock.advance(7_200_000)
    expect(await endless).toMatchObject({ ok: true })
    expect(await unbounded).toMatchObject({ ok: true })
  })

  it('has no more time than its turn', async () => {
    const clock = createTestClock()
    const budget = new Budget({ wallClockMs: 1_000 }, clock)
    const outcome = start(stubTool('sleep', never, { timeoutMs: false }), { clock, budget })
    await clock.advance(6_000)
    expect(await outcome).toMatchObject({ timedOut: true })
  })

  it('is reported once more when it answers late: the result is dropped, with a warning', async () => {
    const clock = createTestClock()
    let answer = (_value: string) => {}
    const tool = stubTool('sleep', () => new Promise((resolve) => (answer = resolve)))
    const outcome = start(tool, { clock })
    await clock.advance(125_000)
    expect(await outcome).toMatchObject({ timedOut: true })
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve))
    answer('too late')
    const warning = await warned
    expect(warning.message).toContain('"sleep"')
    expect(warning.message).not.toContain('too late')
  })

  it('with a deadline of more than a month does not time out at once, on the real clock', async () => {
    const tool = stubTool(
      'x',
      () => new Promise((resolve) => setImmediate(() => setTimeout(resolve, 20, 'done'))),
    )
    const outcome = await start(tool, { clock: systemClock, limits: { timeoutMs: 2 ** 40 } })
    expect(outcome.text).toBe('done')
  })
})

describe('a tool whose turn is stopped', () => {
  it('is aborted, and abandoned after a second', async () => {
    const clock = createTestClock()
    const controller = new AbortController()
    let signal: AbortSignal | undefined
    const tool = stubTool('sleep', (_args, context) => {
      signal = context.signal
      return never()
    })
    const outcome = start(tool, { clock, signal: controller.signal })
    controller.abort()
    expect(signal?.aborted).toBe(true)
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({ ok: false, cancelled: true })
  })

  it('is not started', async () => {
    let ran = false
    const tool = stubTool('x', () => (ran = true))
    expect(await start(tool, { signal: AbortSignal.abort() })).toMatchObject({ cancelled: true })
    expect(ran).toBe(false)
  })

  it('by the tool that runs is aborted, too', async () => {
    const clock = createTestClock()
    const controller = new AbortController()
    const tool = stubTool('quit', () => {
      controller.abort()
      return never()
    })
    const outcome = start(tool, { clock, signal: controller.signal })
    await clock.waiting()
    await clock.advance(1_000)
    expect(await outcome).toMatchObject({ cancelled: true })
  })

  it('leaves no listener on the signal of the run', async () => {
    const clock = createTestClock()
    const { signal } = new AbortController()
    await start(
      stubTool('a', async () => 'ok'),
      { signal, clock },
    )
    await start(
      stubTool('b', () => Promise.reject(new Error('no'))),
      { signal, clock },
    )
    const late = start(stubTool('c', never, { timeoutMs: 1 }), { signal, clock })
    await clock.advance(10_000)
    await late
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
