import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import { createTestClock, createTestPath, createTestRun, stubTool } from '../testing/index.ts'
import type { OutcomeFacts } from '../turn/tool/tool-outcome.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { runToolCall } from './run-tool-call.ts'

const BUSY = { httpStatus: 503 }

/** A tool that fails with each of these, then works. */
function start(failures: readonly OutcomeFacts[], more: Partial<Omit<Tool, 'name' | 'run'>> = {}) {
  const clock = createTestClock()
  const stop = new AbortController()
  const times: number[] = []
  const look = stubTool(
    'look',
    async () => {
      const facts = failures[times.length]
      times.push(clock.monotonic())
      return facts ? fail('the gauge is busy', facts) : 'level 4'
    },
    more,
  )
  const run = createTestRun({ clock, signal: stop.signal })
  const path = createTestPath([look], { run, safety: { mode: 'full' } })
  const result = runToolCall({ id: 'c' as CallId, tool: 'look', arguments: {} }, path)
  return { clock, stop, times, result }
}

describe('a read that fails for a passing reason', () => {
  it('is tried again, and the model sees only the success', async () => {
    const { clock, times, result } = start([BUSY, BUSY])
    await clock.advance(2_000)
    expect(await result).toMatchObject({ ok: true, text: 'level 4' })
    expect(times).toEqual([0, 500, 2_000])
  })

  it('is tried three times at most, and then the words say so', async () => {
    const { clock, times, result } = start([BUSY, BUSY, BUSY, BUSY])
    await clock.advance(60_000)
    expect(await result).toMatchObject({
      ok: false,
      text: 'Error: (It was tried 3 times.) the gauge is busy',
      failure: {
        class: 'service_unavailable',
        cause: 'The service cannot be reached or is not working right now. It was tried 3 times.',
        tries: 3,
      },
    })
    expect(times).toHaveLength(3)
  })

  it('waits as long as the service asks, up to 30 seconds', async () => {
    const patient = start([{ httpStatus: 429, retryAfterMs: 30_000 }])
    await patient.clock.advance(30_000)
    expect(await patient.result).toMatchObject({ ok: true })
    expect(patient.times).toEqual([0, 30_000])
    const impatient = start([{ httpStatus: 429, retryAfterMs: 31_000 }])
    const { failure, text } = await impatient.result
    expect(failure).toMatchObject({ class: 'rate_limited', retryAfterMs: 31_000 })
    expect(text + failure!.cause).not.toContain('tried')
  })

  it('is not tried beyond the deadline of the call', async () => {
    const { times, result } = start([BUSY, BUSY], { timeoutMs: 400 })
    expect(await result).toMatchObject({ ok: false })
    expect(times).toEqual([0])
  })

  it('is not tried again once the turn is stopped', async () => {
    const { clock, stop, times, result } = start([BUSY])
    await clock.waiting()
    stop.abort()
    expect(await result).toMatchObject({ ok: false, failure: { class: 'service_unavailable' } })
    expect(times).toEqual([0])
  })
})

describe('a call is not tried again', () => {
  it.each([
    ['that writes', BUSY, { effect: 'write' }],
    ['that fails for a lasting reason', { httpStatus: 404 }, {}],
    ['that polls', BUSY, { polls: true }],
    ['that waits for others', BUSY, { timeoutMs: false }],
  ] as const)('%s', async (_, facts, more) => {
    const { times, result } = start([facts], more)
    expect(await result).toMatchObject({ ok: false })
    expect(times).toEqual([0])
  })
})
