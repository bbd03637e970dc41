import { expect, it } from 'vitest'
import { toRetryDelay } from './retry-delay.ts'

const HOUR_MS = 3_600_000

it('waits for as long as a service asks, up to a day, whatever it says', () => {
  expect(toRetryDelay(1, HOUR_MS)).toBe(HOUR_MS)
  for (const asked of [Infinity, 1e300, 9e15]) expect(toRetryDelay(1, asked)).toBe(24 * HOUR_MS)
  for (const asked of [Number.NaN, -5]) expect(toRetryDelay(1, asked, () => 0)).toBe(10_000)
})
