import { expect, it } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

const most = (): number => 1

it('doubles from half a second and never waits longer than half a minute', () => {
  const delays = [1, 2, 3, 6, 7, 20].map((attempt) => retryDelayMs(attempt, {}, most))
  expect(delays).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000])
})

it('spreads clients over the whole delay', () => {
  expect(retryDelayMs(3, {}, () => 0)).toBe(0)
  expect(retryDelayMs(3, {}, () => 0.25)).toBe(500)
})

it('waits as long as the provider asked, and not less than its own delay', () => {
  expect(retryDelayMs(1, { retryAfterMs: 7000 }, most)).toBe(7000)
  expect(retryDelayMs(3, { retryAfterMs: 0 }, most)).toBe(2000)
  expect(retryDelayMs(1, { retryAfterMs: 30_000 }, most)).toBe(30_000)
})

it('gives up when the provider asks for more than half a minute', () => {
  expect(retryDelayMs(1, { retryAfterMs: 30_001 }, most)).toBeUndefined()
})
