import { describe, expect, it } from 'vitest'
import { replayTrace } from '../replay-trace.ts'
import { ALL_TRACES } from '../traces/all-traces.ts'
import type { LabelledTrace } from '../traces/trace.ts'

const looping = ALL_TRACES.filter(({ kind }) => kind === 'looping')
const honest = ALL_TRACES.filter(({ kind }) => kind === 'honest')

function isStoppedInTime(trace: LabelledTrace): boolean {
  const { step } = replayTrace(trace)
  return step !== undefined && step >= trace.starts && step - trace.starts <= trace.grace
}

const score = (traces: readonly LabelledTrace[], isRight: (trace: LabelledTrace) => boolean): string =>
  `${traces.filter(isRight).length} of ${traces.length}`

describe('the default guards, given whole traces', () => {
  it.each(looping.map((trace) => [trace.id, trace] as const))('halt in time: %s', (_, trace) => {
    const { halted, step, answer } = replayTrace(trace)
    expect(halted).toBe(true)
    expect(step).toBeGreaterThanOrEqual(trace.starts)
    expect(step! - trace.starts).toBeLessThanOrEqual(trace.grace)
    expect(answer).toMatch(/^I stopped because .*(You can|Please connect|ask me)/s)
  })

  it.each(honest.map((trace) => [trace.id, trace] as const))('do not halt: %s', (_, trace) => {
    expect(replayTrace(trace)).toEqual({ halted: false })
  })

  it('have enough distinct traces of both kinds, and print a summary', () => {
    expect(new Set(ALL_TRACES.map(({ id }) => id)).size).toBe(ALL_TRACES.length)
    expect(looping.length).toBeGreaterThanOrEqual(60)
    expect(honest.length).toBeGreaterThanOrEqual(60)
    console.log(
      `guards: ${score(looping, isStoppedInTime)} looping runs stopped in time, ` +
        `${score(honest, (trace) => !replayTrace(trace).halted)} honest runs left alone`,
    )
  })
})
