import { expect, it } from 'vitest'
import { retryDelayMs } from './retry-delay.ts'

const most = (): number => 1

it('the retry delay doubles from half a second up to half a minute', () => {
  const delays = [1, 2, 3, 6, 7, 20].map((attempt) => retryDelayMs(attempt, {}, most))
  expect(delays).toEqual([500, 1000, 2000, 16_000, 30_000, 30_000])
})

it('the retry delay spreads clients over its whole range', () => {
  expect(retryDelayMs(3, {}, () => 0)).toBe(0)
  expect(retryDelayMs(3, {}, () => 0.25)).toBe(500)
})

it('the retry delay is at least what the provider asked for', () => {
  expect(retryDelayMs(1, { retryAfterMs: 7000 }, most)).toBe(7000)
  expect(retryDelayMs(3, { retryAfterMs: 0 }, most)).toBe(2000)
  expect(retryDelayMs(1, { retryAfterMs: 30_000 }, most)).toBe(30_000)
})

it('the retry delay is undefined when the provider asks for more than half a minute', () => {
  expect(retryDelayMs(1, { retryAfterMs: 30_001 }, most)).toBeUndefined()
})
