import type { RateRows } from '@capstan/stores/postgres'
import { describe, expect, it } from 'vitest'
import { usePostgres } from '../../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { createLocalLimiters } from './limiters.ts'
import { createSharedLimiters } from './shared-limiters.ts'

const postgres = usePostgres()
const SLOW = { burst: 6, perSecond: 0.001 }

async function openTwo() {
  const a = await postgres.open()
  const b = await postgres.open({ url: postgres.urlOf(a) })
  let asked = 0
  const counted: RateRows = {
    ...a.rates,
    takeTokens: (...args) => (asked++, a.rates.takeTokens(...args)),
    takeUse: (...args) => (asked++, a.rates.takeUse(...args)),
  }
  return { a: createSharedLimiters(counted), b: createSharedLimiters(b.rates), asked: () => asked }
}

const times = <Value>(count: number, work: () => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, work))

describe('a limit of two nodes', () => {
  it('is used up by both together', async () => {
    const { a, b } = await openTwo()
    const [one, other] = [a.buckets('logins', SLOW), b.buckets('logins', SLOW)]
    const waits = await Promise.all([
      times(5, () => one.take('1.2.3.4')),
      times(5, () => other.take('1.2.3.4')),
    ])
    expect(waits.flat().filter((wait) => wait === 0)).toHaveLength(6)
    expect(await b.buckets('other', SLOW).take('1.2.3.4')).toBe(0)
  })

  it('is refused without asking the database while the time to wait has not passed', async () => {
    const { a, b, asked } = await openTwo()
    await times(6, () => b.buckets('logins', SLOW).take('1.2.3.4'))
    const limit = a.buckets('logins', SLOW)
    expect(await limit.take('1.2.3.4')).toBeGreaterThan(0)
    await times(100, () => limit.take('1.2.3.4'))
    expect(asked()).toBe(1)
  })

  it('with a large burst asks the database once for several requests, and allows no more than the burst', async () => {
    const { a, b, asked } = await openTwo()
    const rate = { burst: 200, perSecond: 0.001 }
    const [one, other] = [a.buckets('requests', rate), b.buckets('requests', rate)]
    let allowed = 0
    for (let count = 0; count < 150; count++)
      for (const limit of [one, other]) if ((await limit.take('ada')) === 0) allowed++
    expect(allowed).toBe(200)
    expect(asked()).toBeLessThan(20)
  })

  it('for the messages of a member counts those of both in any minute', async () => {
    const { a, b } = await openTwo()
    const [one, other] = [a.uses('messages', 60_000), b.uses('messages', 60_000)]
    const waits = await Promise.all([
      times(4, () => one.take('ada', 5)),
      times(4, () => other.take('ada', 5)),
    ])
    expect(waits.flat().filter((wait) => wait === 0)).toHaveLength(5)
  })
})

it('while the database cannot be reached, each node keeps its own limit', async () => {
  const failing: RateRows = {
    takeTokens: () => Promise.reject(new Error('away')),
    takeUse: () => Promise.reject(new Error('away')),
    deleteUnused: () => Promise.reject(new Error('away')),
  }
  const limiters = createSharedLimiters(failing, () => 0)
  const limit = limiters.buckets('logins', SLOW)
  expect((await times(10, () => limit.take('ada'))).filter((wait) => wait === 0)).toHaveLength(6)
  const uses = limiters.uses('messages', 60_000)
  expect((await times(10, () => uses.take('ada', 5))).filter((wait) => wait === 0)).toHaveLength(5)
})

it('a process that is alone counts uses in any window, also when the limit is lowered', async () => {
  let now = 0
  const uses = createLocalLimiters(() => now).uses('messages', 60_000)
  expect(await times(3, () => uses.take('ada', 2))).toEqual([0, 0, 60_000])
  now = 59_999
  expect(await uses.take('ada', 2)).toBe(1)
  expect(await uses.take('bob', 2)).toBe(0)
  now = 60_000
  expect(await times(3, () => uses.take('ada', 2))).toEqual([0, 0, 60_000])
  expect(await uses.take('ada', 1)).toBe(60_000)
})
