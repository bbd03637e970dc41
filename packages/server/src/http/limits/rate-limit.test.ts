import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

describe('a rate limit', () => {
  it('allows a burst and then a rate per second, separately for each key', () => {
    let now = 0
    const limit = createRateLimit({ burst: 3, perSecond: 2 }, () => now)
    expect([1, 2, 3, 4].map(() => limit.take('ada'))).toEqual([0, 0, 0, 500])
    expect(limit.take('bob')).toBe(0)
    now = 500
    expect([limit.take('ada'), limit.take('ada')]).toEqual([0, 500])
    now = 60_000
    expect([1, 2, 3, 4].map(() => limit.take('ada'))).toEqual([0, 0, 0, 500])
  })

  it('delays the next request for longer after an expensive one', () => {
    let now = 0
    const limit = createRateLimit({ burst: 3, perSecond: 2 }, () => now)
    expect(limit.take('ada', 10)).toBe(0)
    expect(limit.take('ada')).toBe(4000)
    now = 4000
    expect(limit.take('ada')).toBe(0)
  })

  it('tolerates a clock that goes backwards', () => {
    let now = 1000
    const limit = createRateLimit({ burst: 1, perSecond: 1 }, () => now)
    limit.take('ada')
    now = 0
    expect(limit.take('ada')).toBe(1000)
  })
})
