import { describe, expect, it } from 'vitest'
import { createRateLimit } from './rate-limit.ts'

describe('a rate limit', () => {
  it('lets a burst through, then so many a second, each key by itself', () => {
    let now = 0
    const limit = createRateLimit({ burst: 3, perSecond: 2 }, () => now)
    expect([1, 2, 3, 4].map(() => limit.take('ada'))).toEqual([0, 0, 0, 500])
    expect(limit.take('bob')).toBe(0)
    now = 500
    expect([limit.take('ada'), limit.take('ada')]).toEqual([0, 500])
    now = 60_000
    expect([1, 2, 3, 4].map(() => limit.take('ada'))).toEqual([0, 0, 0, 500])
  })

  it('makes what costs much wait for longer afterwards', () => {
    let now = 0
    const limit = createRateLimit({ burst: 3, perSecond: 2 }, () => now)
    expect(limit.take('ada', 10)).toBe(0)
    expect(limit.take('ada')).toBe(4000)
    now = 4000
    expect(limit.take('ada')).toBe(0)
  })

  it('is not fooled by a clock that goes back', () => {
    let now = 1000
    const limit = createRateLimit({ burst: 1, perSecond: 1 }, () => now)
    limit.take('ada')
    now = 0
    expect(limit.take('ada')).toBe(1000)
  })
})
