import { assert, constantFrom, nat, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDefaultGuards } from '../default-guards.ts'
import type { Guard, Verdict } from '../guard.ts'
import { replayTrace } from '../replay-trace.ts'
import { ALL_TRACES } from '../traces/all-traces.ts'

/** The default guards, which die at the events that `diesAt` names and come back from what they left in writing. */
function mortalGuards(diesAt: (event: number) => boolean): {
  readonly guards: readonly Guard[]
  readonly verdicts: string[]
} {
  let alive = createDefaultGuards()
  let events = 0
  const verdicts: string[] = []
  const dieAndComeBack = () => {
    const written = alive.map((guard) => JSON.stringify(guard.state()))
    alive = createDefaultGuards()
    for (const [index, guard] of alive.entries()) guard.restore(JSON.parse(written[index]!))
  }
  const ask = (index: number, question: (guard: Guard) => Verdict | undefined) => {
    if (index === 0 && diesAt(events++)) dieAndComeBack()
    const verdict = question(alive[index]!)
    if (verdict) verdicts.push(`${events} ${alive[index]!.name} ${verdict.action} ${verdict.text}`)
    return verdict
  }
  const guards = alive.map(({ name }, index): Guard => ({
    name,
    beforeCalls: (reply) => ask(index, (guard) => guard.beforeCalls?.(reply)),
    afterCall: (finished) => ask(index, (guard) => guard.afterCall?.(finished)),
    state: () => null,
    restore: () => {},
  }))
  return { guards, verdicts }
}

describe('guards that were restored', () => {
  it('say the same, word for word, wherever the run was cut', () => {
    assert(
      property(
        constantFrom(...ALL_TRACES),
        uniqueArray(nat({ max: 60 }), { maxLength: 6 }),
        (trace, cuts) => {
          const unbroken = mortalGuards(() => false)
          const broken = mortalGuards((event) => cuts.includes(event))
          expect(replayTrace(trace, broken.guards)).toEqual(replayTrace(trace, unbroken.guards))
          expect(broken.verdicts).toEqual(unbroken.verdicts)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('say the same when the run is cut at every single event', () => {
    for (const trace of ALL_TRACES) {
      const unbroken = mortalGuards(() => false)
      const broken = mortalGuards(() => true)
      expect(replayTrace(trace, broken.guards), trace.id).toEqual(replayTrace(trace, unbroken.guards))
      expect(broken.verdicts, trace.id).toEqual(unbroken.verdicts)
    }
  })

  it('leave little in writing, however long the run', () => {
    const guards = createDefaultGuards()
    const steps = Array.from({ length: 500 }, (_, n) => ({
      text: '',
      calls: [{ tool: 'plot_read', args: { plot: n } }],
      results: [{ ok: n % 5 !== 0, text: `plot ${n}: ${'clay '.repeat(2000)}`, class: null }],
    }))
    expect(replayTrace({ id: 'long', steps }, guards)).toEqual({ halted: false })
    expect(JSON.stringify(guards.map((guard) => guard.state())).length).toBeLessThan(10_000)
  })
})
