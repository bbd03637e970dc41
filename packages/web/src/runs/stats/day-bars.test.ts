import { describe, expect, it } from 'vitest'
import type { StatsDay } from '@capstan/protocol'
import { fillDays, sumDays, toDayChart, toRetention } from './day-bars.ts'

const day = (name: string, fields: Partial<StatsDay> = {}): StatsDay => ({
  day: name,
  turns: 1,
  failed: 0,
  inputTokens: 0,
  cachedInputTokens: 0,
  outputTokens: 0,
  usd: 0,
  ...fields,
})

describe('the chart over days', () => {
  it('stacks cached, fresh and output tokens and counts none twice', () => {
    const { bars, ticks } = toDayChart(
      [day('2026-11-16', { inputTokens: 60, cachedInputTokens: 40, outputTokens: 20 })],
      'tokens',
    )
    expect(ticks).toEqual([0, 20, 40, 60, 80])
    expect(bars[0]?.total).toBe(80)
    expect(bars[0]?.parts).toEqual([
      { part: 'cached', value: 40, bottomPercent: 0, heightPercent: 50 },
      { part: 'fresh', value: 20, bottomPercent: 50, heightPercent: 25 },
      { part: 'output', value: 20, bottomPercent: 75, heightPercent: 25 },
    ])
  })

  it('draws cost as one part, and zero as a bar without height', () => {
    const { bars } = toDayChart([day('2026-11-16')], 'cost')
    expect(bars[0]?.parts).toEqual([{ part: 'usd', value: 0, bottomPercent: 0, heightPercent: 0 }])
  })
})

describe('the days of the chart', () => {
  it('have no gaps, across the end of a month and up to today', () => {
    const days = fillDays([day('2026-02-27', { turns: 3 })], 4, '2026-03-01')
    expect(days.map((each) => [each.day, each.turns])).toEqual([
      ['2026-02-26', 0],
      ['2026-02-27', 3],
      ['2026-02-28', 0],
      ['2026-03-01', 0],
    ])
  })

  it('end at the newest day of the server when it is ahead of the browser', () => {
    expect(fillDays([day('2026-03-02')], 2, '2026-03-01').map((each) => each.day)).toEqual([
      '2026-03-01',
      '2026-03-02',
    ])
  })

  it('are summed up by sumDays', () => {
    expect(sumDays([day('a', { usd: 0.5, failed: 1 }), day('b', { usd: 0.25 })])).toMatchObject({
      turns: 2,
      failed: 1,
      usd: 0.75,
    })
  })
})

describe('prefix retention', () => {
  it('is the share of calls that kept the prompt', () => {
    expect(toRetention({ calls: 50, breaks: 1 })).toBe(0.98)
    expect(toRetention({ calls: 50, breaks: 0 })).toBe(1)
    expect(toRetention({ calls: 2, breaks: 5 })).toBe(0)
  })

  it('is undefined without a call, and never rounded up to 1', () => {
    expect(toRetention({ calls: 0, breaks: 0 })).toBeUndefined()
    expect(toRetention({ calls: 100_000, breaks: 1 })).toBe(0.999)
  })
})
