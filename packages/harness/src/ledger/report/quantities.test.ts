import { describe, expect, it } from 'vitest'
import { NO_USAGE, sumUsage } from '@capstan/protocol'
import { toCost, toCount, toDuration, toTokens } from './quantities.ts'

describe('quantities', () => {
  it.each([
    [0, '<1 ms'],
    [12.4, '12 ms'],
    [999.7, '1.0 s'],
    [1250, '1.3 s'],
    [59_960, '1 min 0 s'],
    [61_000, '1 min 1 s'],
    [3_600_000, '1 h 0 min'],
    [90_000_000, '1 day 1 h'],
    [180_000_000, '2 days 2 h'],
  ])('toDuration(%d) is %s', (ms, words) => expect(toDuration(ms)).toBe(words))

  it.each([
    [0, 0, 'cost unknown'],
    [0, 0.00001, 'under $0.0001'],
    [0.5, 0, '$0.5000'],
    [0.5, 1, 'about $1.50'],
  ])('toCost of %d charged and %d estimated is %s', (chargedUsd, estimatedUsd, words) =>
    expect(toCost({ chargedUsd, estimatedUsd })).toBe(words),
  )

  it('toCount writes singular and plural', () => {
    expect([toCount(1, 'step'), toCount(1200, 'step')]).toEqual(['1 step', '1,200 steps'])
  })

  it('toTokens mentions cached tokens only when there are any', () => {
    const usage = { ...NO_USAGE, inputTokens: 1200, outputTokens: 8 }
    expect(toTokens(usage)).toBe('1,200 tokens in, 8 out')
    expect(toTokens({ ...usage, cachedInputTokens: 1000 })).toBe('1,200 tokens in (1,000 cached), 8 out')
  })

  it('sumUsage marks a sum as estimated when a part is', () => {
    const guess = { ...NO_USAGE, inputTokens: 5, estimated: true as const }
    expect(sumUsage(NO_USAGE, guess)).toEqual(guess)
    expect(sumUsage(NO_USAGE, NO_USAGE)).toEqual(NO_USAGE)
  })
})
