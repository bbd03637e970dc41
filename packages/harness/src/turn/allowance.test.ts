import type { AmountSpent, SpendingLimits, Usage } from '@capstan/protocol'
import { NO_USAGE } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createTestClock } from '../testing/index.ts'
import { Allowance } from './allowance.ts'

const NOON = Date.UTC(2026, 4, 31, 12)
const HOUR = 3_600_000
const usage = (usd: number, tokens = 0): Usage => ({ ...NO_USAGE, estimatedUsd: usd, inputTokens: tokens })

function open(limits: SpendingLimits, before: AmountSpent = { usd: 0, tokens: 0 }) {
  const clock = createTestClock(NOON)
  const asked: number[] = []
  const load = (since: number) => (asked.push(since), before)
  return { clock, asked, allowance: new Allowance({ limits: () => limits, clock, load }) }
}

describe('an allowance', () => {
  it('is used up when what was spent reaches a limit, in money and in tokens', () => {
    const { allowance } = open({ usdPerDay: 5, tokensPerMonth: 1_000 })
    allowance.spend(usage(4.99, 999))
    expect(allowance.reached()).toBeUndefined()
    allowance.spend(usage(0, 1))
    expect(allowance.reached()).toEqual({ period: 'month', unit: 'tokens', limit: 1_000, used: 1_000 })
    allowance.spend(usage(0.01))
    expect(allowance.reached()).toMatchObject({ period: 'day', unit: 'usd' })
  })

  it('without limits is never used up', () => {
    const { allowance } = open({})
    allowance.spend(usage(1e9, 1e12))
    expect([allowance.reached(), allowance.takeWarning()]).toEqual([undefined, undefined])
  })

  it('starts anew with the day, and with the month', async () => {
    const { allowance, clock } = open({ usdPerDay: 1, usdPerMonth: 2 })
    allowance.spend(usage(2))
    expect(allowance.reached()).toMatchObject({ period: 'day' })
    await clock.advance(12 * HOUR) // the first of June
    expect(allowance.reached()).toBeUndefined()
    allowance.spend(usage(1.5))
    await clock.advance(24 * HOUR)
    expect(allowance.reached()).toBeUndefined()
    allowance.spend(usage(0.5))
    expect(allowance.reached()).toMatchObject({ period: 'month', used: 2 })
  })

  it('knows what was spent before a restart, and reads it once', async () => {
    const { allowance, asked } = open({ usdPerDay: 5 }, { usd: 4, tokens: 10 })
    await Promise.all([allowance.ready(), allowance.ready()])
    allowance.spend(usage(1))
    expect(allowance.reached()).toMatchObject({ used: 5 })
    expect(asked).toEqual([Date.UTC(2026, 4, 31), Date.UTC(2026, 4, 1)])
  })

  it('reads again what other processes have spent when it is not fresh, and keeps what it counts meanwhile', async () => {
    const clock = createTestClock(NOON)
    let stored = 1
    let onLoad = () => {}
    const load = async () => (onLoad(), { usd: stored, tokens: 0 })
    const allowance = new Allowance({ limits: () => ({ usdPerDay: 5 }), clock, load, freshMs: 1_000 })
    await allowance.ready()
    stored = 4
    await clock.advance(999)
    await allowance.ready()
    expect(allowance.spent('day').usd).toBe(1)
    await clock.advance(1)
    onLoad = () => {
      onLoad = () => {}
      allowance.spend(usage(1))
    }
    await allowance.ready()
    expect(allowance.reached()).toMatchObject({ period: 'day', used: 5 })
  })

  it('tries again to read when the store failed', async () => {
    let fails = true
    const load = () => (fails ? Promise.reject(new Error('busy')) : { usd: 3, tokens: 0 })
    const allowance = new Allowance({ limits: () => ({}), clock: createTestClock(NOON), load })
    await expect(allowance.ready()).rejects.toThrow('busy')
    fails = false
    await allowance.ready()
    expect(allowance.spent('day').usd).toBe(3)
  })

  it('warns at eighty percent, once for each limit and day', async () => {
    const { allowance, clock } = open({ usdPerDay: 10 })
    allowance.spend(usage(7.99))
    expect(allowance.takeWarning()).toBeUndefined()
    allowance.spend(usage(0.01))
    expect(allowance.takeWarning()).toMatchObject({ period: 'day', unit: 'usd', limit: 10 })
    expect(allowance.takeWarning()).toBeUndefined()
    await clock.advance(24 * HOUR)
    allowance.spend(usage(9))
    expect(allowance.takeWarning()).toMatchObject({ used: 9 })
  })

  it('that the owner sets to nothing is used up at once', () => {
    expect(open({ usdPerDay: 0 }).allowance.reached()).toMatchObject({ limit: 0 })
  })
})
