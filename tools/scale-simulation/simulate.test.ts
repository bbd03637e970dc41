import { describe, expect, it } from 'vitest'
import { compare } from './placement.ts'
import { createPopulation } from './population.ts'
import { simulate } from './simulate.ts'

const SMALL = { threads: 30_000, users: 3_000, shards: 5, skew: 0.8, hotUsers: 5, hotShare: 0.2, seed: 1 }

describe('a simulation of threads over shards', () => {
  const report = simulate(SMALL)
  const stateOf = (name: string) => report.states.find((state) => state.name === name)!

  it('finds every thread by its id alone, also after changes', () => {
    expect(report.lookups.map(({ threads, wrong }) => ({ threads, wrong }))).toEqual([
      { threads: 30_000, wrong: 0 },
      { threads: 30_000, wrong: 0 },
    ])
  })

  it('moves only users that the change is about, and as many as expected', () => {
    expect(report.problems).toEqual([])
    expect(report.changes.map(({ strays }) => strays)).toEqual([0, 0, 0, 0, 0, 0])
  })

  it('spreads turns of busy users by moving few of them', () => {
    const moved = report.changes.find(({ name }) => name === 'move busy users by hand')!
    expect(stateOf('start').turns.most).toBeGreaterThan(1.1)
    expect(stateOf('busy users moved by hand').turns.most).toBeLessThanOrEqual(1.05)
    expect(moved.users).toBeLessThan(SMALL.users / 100)
  })

  it('counts what a rule would move needlessly', () => {
    const population = createPopulation(SMALL)
    const byRest = (count: number) => ({
      map: {
        shards: Array.from({ length: count }, (_, n) => ({ name: String(n), weight: 1 })),
        moved: new Map(),
      },
      places: Uint16Array.from(population.keys, (key) => key % count),
    })
    const moves = compare(population, byRest(5), byRest(6), (_, to) => to === '5')
    expect(moves.users / SMALL.users).toBeGreaterThan(0.7)
    expect(moves.strays).toBeGreaterThan(SMALL.users / 2)
  })
})

describe('a simulated population', () => {
  it.each([0, 0.8, 1.2])('has exactly the threads that were asked for, with a skew of %d', (skew) => {
    const { threads, load } = createPopulation({ ...SMALL, skew })
    expect(threads.reduce((sum, count) => sum + count)).toBe(SMALL.threads)
    expect(load.reduce((sum, part) => sum + part)).toBeCloseTo(1)
  })
})
