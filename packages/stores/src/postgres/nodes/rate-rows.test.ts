import { expect, it } from 'vitest'
import { usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()
/** So slow that nothing flows in during a test. */
const SLOW = { burst: 3, perSecond: 0.001 }

async function openTwo() {
  const a = await postgres.open()
  const url = postgres.urlOf(a)
  const b = await postgres.open({ url })
  return { a: a.rates, b: b.rates, url }
}

it('a burst is allowed once over all nodes, separately for each name', async () => {
  const { a, b } = await openTwo()
  const waits = await Promise.all(
    Array.from({ length: 10 }, (_, index) => (index % 2 ? a : b).takeTokens('ada', SLOW, 1)),
  )
  expect(waits.filter((wait) => wait === 0)).toHaveLength(3)
  for (const wait of waits.filter((one) => one > 0)) expect(wait).toBeGreaterThan(900_000)
  expect(await a.takeTokens('bob', SLOW, 1)).toBe(0)
})

it('a bucket fills again with the time, and never above the burst', async () => {
  const { a, b, url } = await openTwo()
  for (let count = 0; count < 4; count++) await a.takeTokens('ada', SLOW, 1)
  const pass = (seconds: number) =>
    postgres.run(url, `UPDATE rate_buckets SET filled_at = filled_at - make_interval(secs => $1)`, [seconds])
  await pass(1_001)
  expect(await b.takeTokens('ada', SLOW, 1)).toBe(0)
  expect(await b.takeTokens('ada', SLOW, 1)).toBeGreaterThan(0)
  await pass(1_000_000)
  const waits: number[] = []
  for (let count = 0; count < 4; count++) waits.push(await a.takeTokens('ada', SLOW, 1))
  expect(waits.map((wait) => wait === 0)).toEqual([true, true, true, false])
})

it('an expensive use is allowed once and delays the next one', async () => {
  const { a, b } = await openTwo()
  expect(await a.takeTokens('ada', { burst: 3, perSecond: 0.5 }, 10)).toBe(0)
  const wait = await b.takeTokens('ada', { burst: 3, perSecond: 0.5 }, 1)
  expect(wait).toBeGreaterThan(14_000)
  expect(wait).toBeLessThanOrEqual(16_000)
})

it('uses are counted over all nodes in any window', async () => {
  const { a, b, url } = await openTwo()
  const waits = await Promise.all(
    Array.from({ length: 8 }, (_, index) => (index % 2 ? a : b).takeUse('ada', 5, 60_000)),
  )
  expect(waits.filter((wait) => wait === 0)).toHaveLength(5)
  const wait = await a.takeUse('ada', 5, 60_000)
  expect(wait).toBeGreaterThan(50_000)
  expect(wait).toBeLessThanOrEqual(60_000)
  await postgres.run(
    url,
    `UPDATE recent_uses SET times[1] = times[1] - interval '61 seconds', times[2] = times[2] - interval '61 seconds'`,
  )
  expect(await b.takeUse('ada', 5, 60_000)).toBe(0)
  expect(await a.takeUse('ada', 5, 60_000)).toBe(0)
  expect(await a.takeUse('ada', 5, 60_000)).toBeGreaterThan(50_000)
  expect(await a.takeUse('ada', 3, 60_000)).toBeGreaterThan(50_000) // the limit was lowered
})

it('what has not been used for long is deleted', async () => {
  const { a, url } = await openTwo()
  await a.takeTokens('ada', SLOW, 1)
  await a.takeUse('ada', 5, 60_000)
  await postgres.run(url, `UPDATE rate_buckets SET filled_at = now() - interval '2 hours'`)
  await postgres.run(url, `UPDATE recent_uses SET used_at = now() - interval '2 hours'`)
  await a.takeTokens('bob', SLOW, 1)
  await a.deleteUnused()
  expect(
    await postgres.run(url, 'SELECT name FROM rate_buckets UNION ALL SELECT name FROM recent_uses'),
  ).toEqual([{ name: 'bob' }])
})
