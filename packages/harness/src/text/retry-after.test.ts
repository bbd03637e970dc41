import { describe, expect, it } from 'vitest'
import { readRetryAfter } from './retry-after.ts'

describe('readRetryAfter', () => {
  const now = Date.UTC(2026, 0, 1, 12)
  it.each([
    [{ 'retry-after-ms': '250', 'retry-after': '7' }, 250],
    [{ 'retry-after': '7' }, 7000],
    [{ 'retry-after': '0' }, 0],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:20 GMT' }, 20_000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 12:00:20 GMT', date: 'Thu, 01 Jan 2026 12:00:15 GMT' }, 5000],
    [{ 'retry-after': 'Thu, 01 Jan 2026 11:00:00 GMT' }, 0],
    [{ 'retry-after': 'soon' }, undefined],
    [{ 'retry-after': '' }, undefined],
    [{}, undefined],
  ])('reads %j', (headers: Readonly<Record<string, string>>, ms) => {
    expect(readRetryAfter((name) => headers[name], now)).toBe(ms)
  })
})
