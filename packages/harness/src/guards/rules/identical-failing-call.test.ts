import { describe, expect, it } from 'vitest'
import type { CallId } from '@capstan/protocol'
import { classifyOutcome } from '../../failures/classify.ts'
import type { JsonObject } from '../../turn/json.ts'
import type { OutcomeFacts } from '../../turn/tool/tool-outcome.ts'
import { canonicalCall } from '../compare/canonical-call.ts'
import type { FinishedCall } from '../../turn/tool/finished-call.ts'
import type { Guard } from '../guard.ts'
import { createIdenticalFailingCallGuard } from './identical-failing-call.ts'

const failed = (
  failure: OutcomeFacts,
  args: JsonObject = { q: 1 },
  more: Partial<FinishedCall> = {},
): FinishedCall => ({
  call: { id: 'c' as CallId, tool: 'search', arguments: args },
  result: {
    callId: 'c' as CallId,
    tool: 'search',
    ok: false,
    effect: 'read',
    text: 'Error: no such page',
    failure: classifyOutcome(failure),
    durationMs: 1,
    outputBytes: 5,
  },
  polls: false,
  ...more,
})
const worked = (args: JsonObject = { q: 1 }): FinishedCall => {
  const { call, polls, result } = failed({}, args)
  const { failure: _, ...rest } = result
  return { call, result: { ...rest, ok: true, text: 'found' }, polls }
}
const missing = { httpStatus: 404 }
const busy = { httpStatus: 503 }
/** What the guard wants after each call. */
const verdicts = (guard: Guard, finished: readonly FinishedCall[]) =>
  finished.map((one) => guard.afterCall!(one)?.action ?? '-')
const times = (count: number, one: FinishedCall) => Array.from({ length: count }, () => one)

describe('an identical failing call', () => {
  it('is nudged at the second time and halted at the third', () => {
    const guard = createIdenticalFailingCallGuard()
    expect(verdicts(guard, times(3, failed(missing)))).toEqual(['-', 'nudge', 'halt'])
  })

  it('with a transient failure is nudged at the seventh time and halted at the eighth', () => {
    const guard = createIdenticalFailingCallGuard()
    expect(verdicts(guard, times(8, failed(busy)))).toEqual([
      ...times(6, failed({})).map(() => '-'),
      'nudge',
      'halt',
    ])
  })

  it('starts at zero after a success', () => {
    const guard = createIdenticalFailingCallGuard()
    const calls = [...times(2, failed(missing)), worked(), ...times(2, failed(missing))]
    expect(verdicts(guard, calls)).toEqual(['-', 'nudge', '-', '-', 'nudge'])
  })

  it('is the same call for any order of its arguments', () => {
    const guard = createIdenticalFailingCallGuard()
    const one = failed(missing, { a: 1, b: { c: [1, 2], d: null } })
    const other = failed(missing, { b: { d: null, c: [1, 2] }, a: 1 })
    expect(verdicts(guard, [one, other, one])).toEqual(['-', 'nudge', 'halt'])
    expect(canonicalCall(one.call)).toBe(canonicalCall(other.call))
  })

  it('is another call with other arguments, another tool, or another order in a list', () => {
    const call = (tool: string, args: JsonObject) =>
      canonicalCall({ id: 'c' as CallId, tool, arguments: args })
    const names = [
      call('a', { x: 1 }),
      call('a', { x: 2 }),
      call('b', { x: 1 }),
      call('a', { x: [1, 2] }),
      call('a', { x: [2, 1] }),
    ]
    expect(new Set(names).size).toBe(names.length)
  })

  it('of a polling tool is not halted', () => {
    const guard = createIdenticalFailingCallGuard()
    expect(verdicts(guard, times(5, failed(missing, {}, { polls: true })))).not.toContain('halt')
  })

  it('is halted with an answer: what failed, how often, why, and what to do', () => {
    const guard = createIdenticalFailingCallGuard()
    const [, , halt] = times(3, failed(missing)).map((one) => guard.afterCall!(one))
    expect(halt?.text).toContain('"search"')
    expect(halt?.text).toContain('3 times')
    expect(halt?.text).toContain('no such page')
  })
})
