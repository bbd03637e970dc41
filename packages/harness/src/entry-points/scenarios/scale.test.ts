import { describe, expect, it } from 'vitest'
import type { TurnOutcome } from '@capstan/protocol'
import { getEventListeners } from 'node:events'
import { setImmediate as tick } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import {
  calls,
  callsMany,
  createTestClock,
  says,
  ScriptedModel,
  stalls,
  stubTool,
} from '../../testing/index.ts'
import { createSession } from '../session/session.ts'
import { runStateless } from '../stateless-loop.ts'

/** The heap in use after a garbage collection. */
function heapUsed(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  collect()
  return process.memoryUsage().heapUsed
}

const MB = 1024 * 1024
const look = stubTool('look', ({ n }: { n: number }) => `seen ${n}: ${'x '.repeat(500)}`)

describe('a very long turn', () => {
  it('of two hundred iterations ends with its answer and frees its memory', async () => {
    const before = heapUsed()
    const steps = Array.from({ length: 200 }, (_, n) => calls('look', { n }))
    let outcome: TurnOutcome | undefined = await runStateless({
      model: new ScriptedModel(...steps, says('At last.')),
      tools: [look],
      input: 'go',
      limits: { maxIterations: 250 },
      budget: { iterations: 250 },
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'At last.', iterations: 201 })
    outcome = undefined
    expect(heapUsed() - before).toBeLessThan(24 * MB)
  })
})

describe('a thousand turns at once', () => {
  it('all end, leave no listener on their shared signal and free their memory', async () => {
    const { signal } = new AbortController()
    const before = heapUsed()
    let ended = 0
    const numbers: number[] = []
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, n) => {
        const events: number[] = []
        const { type } = await runStateless({
          model: new ScriptedModel(
            callsMany([
              { tool: 'look', args: { n } },
              { tool: 'look', args: { n: -n } },
            ]),
            says(`${n}`),
          ),
          tools: [look],
          input: `${n}`,
          signal,
          onEvent: ({ seq }) => void events.push(seq),
        })
        if (type === 'done') ended++
        if (events.every((seq, index) => seq === index + 1)) numbers.push(n)
      }),
    )
    expect(ended).toBe(1_000)
    expect(numbers).toHaveLength(1_000)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(heapUsed() - before).toBeLessThan(48 * MB)
  })

  it('that are stopped together all end and leave no listener', async () => {
    const controller = new AbortController()
    const waiting = Promise.withResolvers<void>()
    let begun = 0
    const wait = stubTool('wait', (_args, { signal }) => {
      if (++begun === 500) waiting.resolve()
      return new Promise((resolve) => signal.addEventListener('abort', () => resolve('stopped')))
    })
    const turns = Array.from({ length: 1_000 }, (_, n) =>
      runStateless({
        model: n % 2 === 0 ? new ScriptedModel(calls('wait')) : new ScriptedModel(stalls()),
        tools: [wait],
        input: `${n}`,
        signal: controller.signal,
      }),
    )
    await waiting.promise
    await tick()
    controller.abort()
    const outcomes = await Promise.all(turns)
    expect(outcomes.every(({ type }) => type === 'aborted')).toBe(true)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

describe('a session of many turns', () => {
  it('leaves no listener and no timer', async () => {
    const clock = createTestClock()
    let timers = 0
    const counting = {
      ...clock,
      after(ms: number, task: () => void) {
        timers++
        const cancel = clock.after(ms, task)
        return () => {
          timers--
          cancel()
        }
      },
    }
    const { signal } = new AbortController()
    const session = createSession({
      model: new ScriptedModel(
        ...Array.from({ length: 200 }, (_, n) => (n % 2 === 0 ? calls('later') : says('ok'))),
      ),
      tools: [stubTool('later', async () => 'done')],
      clock: counting,
    })
    for (let n = 0; n < 100; n++) await session.send(`${n}`, { signal })
    expect(timers).toBe(0)
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})
