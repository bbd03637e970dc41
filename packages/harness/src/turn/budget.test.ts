import { describe, expect, it } from 'vitest'
import type { Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import * as fc from 'fast-check'
import { createTestClock } from '../testing/index.ts'
import { Budget } from './budget.ts'

const spent = (tokens: number, usd = 0): Usage => ({ ...NO_USAGE, inputTokens: tokens, estimatedUsd: usd })

describe('a budget', () => {
  it('without limits is never used up', () => {
    const budget = new Budget({}, createTestClock())
    for (let n = 0; n < 1_000; n++) budget.spend(spent(1_000_000, 1_000))
    expect(budget.exhausted()).toBeUndefined()
    expect(budget.remainingMs()).toBe(Infinity)
  })

  it('is used up when what was spent reaches the limit', () => {
    const budget = new Budget({ tokens: 100 }, createTestClock())
    budget.spend(spent(99))
    expect(budget.exhausted()).toBeUndefined()
    budget.spend(spent(1))
    expect(budget.exhausted()).toEqual({ kind: 'tokens', limit: 100 })
  })

  it('counts charged and estimated cost', () => {
    const budget = new Budget({ usd: 1 }, createTestClock())
    budget.spend({ ...NO_USAGE, chargedUsd: 0.5 })
    budget.spend({ ...NO_USAGE, estimatedUsd: 0.5 })
    expect(budget.exhausted()).toEqual({ kind: 'usd', limit: 1 })
  })

  it('runs out with time, by a monotonic clock', async () => {
    const clock = createTestClock()
    const budget = new Budget({ wallClockMs: 1_000 }, clock)
    await clock.advance(400)
    expect(budget.remainingMs()).toBe(600)
    await clock.advance(600)
    expect(budget.remainingMs()).toBe(0)
    expect(budget.exhausted()).toEqual({ kind: 'wall-clock', limit: 1_000 })
  })
})

describe('a budget with children', () => {
  it('spends what they spend', () => {
    const parent = new Budget({ tokens: 100 }, createTestClock())
    const grandchild = parent.grant().grant()
    grandchild.spend(spent(30))
    expect(parent.usage.inputTokens).toBe(30)
    expect(grandchild.exhausted()).toMatchObject({ kind: 'tokens' })
    expect(parent.exhausted()).toBeUndefined()
  })

  it('gives each half of what is free, and never more than it asked for', () => {
    const parent = new Budget({ tokens: 100, iterations: 5 }, createTestClock())
    expect(parent.grant().limits).toEqual({ tokens: 50, iterations: 3 })
    expect(parent.grant({ tokens: 10 }).limits).toEqual({ tokens: 10, iterations: 1 })
    expect(parent.grant({ tokens: 9_999 }).limits.tokens).toBe(20)
  })

  it('gets back what they did not use', () => {
    const parent = new Budget({ tokens: 100 }, createTestClock())
    const child = parent.grant()
    child.spend(spent(10))
    expect(parent.grant({ tokens: 1_000 }, 1).limits.tokens).toBe(50)
    child.close()
    const other = new Budget({ tokens: 100 }, createTestClock())
    const returned = other.grant()
    returned.spend(spent(10))
    returned.close()
    expect(other.grant({ tokens: 1_000 }, 1).limits.tokens).toBe(90)
  })

  it('ends with its parent, even if a child was granted more', async () => {
    const clock = createTestClock()
    const parent = new Budget({ wallClockMs: 1_000 }, clock)
    const child = parent.grant({ wallClockMs: 9_999 })
    await clock.advance(1_000)
    expect(child.remainingMs()).toBe(0)
    expect(child.exhausted()).toEqual({ kind: 'wall-clock', limit: 1_000 })
  })

  it('gives nothing when nothing is free', () => {
    const parent = new Budget({ tokens: 10 }, createTestClock())
    parent.spend(spent(10))
    expect(parent.grant().exhausted()).toMatchObject({ kind: 'tokens', limit: 0 })
  })

  it.each([Number.NaN, 0, -5])('grants nothing to a child that asked for %d', (tokens) => {
    const child = new Budget({ tokens: 100 }, createTestClock()).grant({ tokens })
    expect(child.exhausted()).toMatchObject({ kind: 'tokens' })
  })

  it('never grants children together more than is free, in any order', () => {
    const step = fc.oneof(
      fc.record({ do: fc.constant('grant' as const), tokens: fc.nat(200) }),
      fc.record({ do: fc.constant('spend' as const), child: fc.nat(9), tokens: fc.nat(40) }),
      fc.record({ do: fc.constant('close' as const), child: fc.nat(9) }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const parent = new Budget({ tokens: 1_000 }, createTestClock())
        const open: Budget[] = []
        let total = 0
        for (const one of steps) {
          if (one.do === 'grant') open.push(parent.grant({ tokens: one.tokens }))
          const child = one.do === 'grant' ? undefined : open[one.child]
          if (child && one.do === 'spend' && !child.exhausted()) {
            const left = (child.limits.tokens ?? 0) - child.usage.inputTokens
            const tokens = Math.min(one.tokens, left)
            child.spend(spent(tokens))
            total += tokens
          }
          if (child && one.do === 'close') {
            child.close()
            open.splice(open.indexOf(child), 1)
          }
          const reserved = open.reduce(
            (sum, { limits, usage }) => sum + (limits.tokens ?? 0) - usage.inputTokens,
            0,
          )
          expect(parent.usage.inputTokens).toBe(total)
          expect(total + reserved).toBeLessThanOrEqual(1_000 + 1e-6)
        }
      }),
    )
  })
})

describe('usage totals', () => {
  it('add up, field by field', () => {
    const one: Usage = {
      inputTokens: 1,
      outputTokens: 2,
      cachedInputTokens: 3,
      cacheWriteTokens: 4,
      reasoningTokens: 5,
      chargedUsd: 6,
      estimatedUsd: 7,
    }
    const budget = new Budget({}, createTestClock())
    expect(budget.usage).toEqual(NO_USAGE)
    budget.spend(one)
    budget.spend(one)
    expect(budget.usage).toEqual({
      inputTokens: 2,
      outputTokens: 4,
      cachedInputTokens: 6,
      cacheWriteTokens: 8,
      reasoningTokens: 10,
      chargedUsd: 12,
      estimatedUsd: 14,
    })
  })
})
