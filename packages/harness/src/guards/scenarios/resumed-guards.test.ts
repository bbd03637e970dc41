import { assert, constantFrom, nat, property, uniqueArray } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createDefaultGuards } from '../default-guards.ts'
import type { Guard, Verdict } from '../guard.ts'
import { replayTrace } from '../replay-trace.ts'
import { ALL_TRACES } from '../traces/all-traces.ts'

/**
 * The default guards, lost at the events that `lostAt` names. Fresh ones take their place and are shown the past, as
 * a resumed run does.
 */
function interruptedGuards(lostAt: (event: number) => boolean): {
  readonly guards: readonly Guard[]
  readonly verdicts: string[]
} {
  let alive = createDefaultGuards()
  let past: ((guard: Guard) => Verdict | undefined)[] = []
  const verdicts: string[] = []
  const resume = () => {
    alive = createDefaultGuards()
    for (const show of past) for (const guard of alive) show(guard)
  }
  const ask = (index: number, question: (guard: Guard) => Verdict | undefined) => {
    if (index === 0) {
      if (lostAt(past.length)) resume()
      past = [...past, question]
    }
    const verdict = question(alive[index]!)
    if (verdict) verdicts.push(`${past.length} ${alive[index]!.name} ${verdict.action} ${verdict.text}`)
    return verdict
  }
  const guards = alive.map(({ name }, index): Guard => ({
    name,
    beforeCalls: (reply) => ask(index, (guard) => guard.beforeCalls?.(reply)),
    afterCall: (finished) => ask(index, (guard) => guard.afterCall?.(finished)),
  }))
  return { guards, verdicts }
}

describe('guards that replay the past of a resumed run', () => {
  it('give the same verdicts, word for word, for any interruption', () => {
    assert(
      property(
        constantFrom(...ALL_TRACES),
        uniqueArray(nat({ max: 60 }), { maxLength: 6 }),
        (trace, cuts) => {
          const unbroken = interruptedGuards(() => false)
          const broken = interruptedGuards((event) => cuts.includes(event))
          expect(replayTrace(trace, broken.guards)).toEqual(replayTrace(trace, unbroken.guards))
          expect(broken.verdicts).toEqual(unbroken.verdicts)
        },
      ),
      { numRuns: 400 },
    )
  })

  it('give the same verdicts when the run is interrupted at every event', () => {
    for (const trace of ALL_TRACES) {
      const unbroken = interruptedGuards(() => false)
      const broken = interruptedGuards(() => true)
      expect(replayTrace(trace, broken.guards), trace.id).toEqual(replayTrace(trace, unbroken.guards))
      expect(broken.verdicts, trace.id).toEqual(unbroken.verdicts)
    }
  })
})
