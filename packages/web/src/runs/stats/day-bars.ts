import type { Stats, StatsDay, Usage } from '@capstan/protocol'
import { toValueTicks } from '../charts/scale.ts'

/** The parts of a day's tokens, from the bottom of the bar to its top. */
export const TOKEN_PARTS = ['cached', 'fresh', 'output'] as const

export type DayMeasure = 'tokens' | 'cost'

/** One part of a day's bar, in percent of the axis. */
export interface BarPart {
  readonly part: 'cached' | 'fresh' | 'output' | 'usd'
  readonly value: number
  readonly bottomPercent: number
  readonly heightPercent: number
}

interface DayBar {
  readonly day: StatsDay
  readonly total: number
  readonly parts: readonly BarPart[]
}

export interface DayChart {
  readonly bars: readonly DayBar[]
  readonly ticks: readonly number[]
}

/** Bars of a chart over days. The parts of a bar add up: cached input is not counted twice. */
export function toDayChart(days: readonly StatsDay[], measure: DayMeasure): DayChart {
  const split = days.map((day) => partsOf(day, measure))
  const totals = split.map((parts) => parts.reduce((sum, [, value]) => sum + value, 0))
  const ticks = toValueTicks(Math.max(0, ...totals), 4)
  const top = ticks.at(-1) ?? 1
  return {
    ticks,
    bars: days.map((day, index) => ({
      day,
      total: totals[index] ?? 0,
      parts: stack(split[index] ?? [], top),
    })),
  }
}

/** The tokens of one run as parts of a full bar. */
export function toTokenParts(
  usage: Pick<Usage, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>,
): readonly BarPart[] {
  const split = tokenParts(usage)
  return stack(
    split,
    split.reduce((sum, [, value]) => sum + value, 0),
  )
}

type Split = readonly (readonly [BarPart['part'], number])[]

function stack(split: Split, top: number): readonly BarPart[] {
  const full = top > 0 ? top : 1
  let below = 0
  return split.map(([part, value]) => {
    const bottomPercent = (below / full) * 100
    below += value
    return { part, value, bottomPercent, heightPercent: (value / full) * 100 }
  })
}

const partsOf = (day: StatsDay, measure: DayMeasure): Split =>
  measure === 'cost' ? [['usd', day.usd]] : tokenParts(day)

const tokenParts = ({
  inputTokens,
  cachedInputTokens,
  outputTokens,
}: Pick<Usage, 'inputTokens' | 'cachedInputTokens' | 'outputTokens'>): Split => [
  ['cached', cachedInputTokens],
  ['fresh', Math.max(0, inputTokens - cachedInputTokens)],
  ['output', outputTokens],
]

const DAY_MS = 86_400_000

/** `count` days up to today, with empty days filled in. `today` has the form of the server's days. */
export function fillDays(known: readonly StatsDay[], count: number, today: string): readonly StatsDay[] {
  const byDay = new Map(known.map((day) => [day.day, day]))
  const newest = known.reduce((last, { day }) => (day > last ? day : last), today)
  const end = Date.parse(`${newest}T00:00:00Z`)
  return Array.from({ length: count }, (_, index) => {
    const day = new Date(end - (count - 1 - index) * DAY_MS).toISOString().slice(0, 10)
    return byDay.get(day) ?? { ...QUIET, day }
  })
}

const QUIET = { turns: 0, failed: 0, inputTokens: 0, cachedInputTokens: 0, outputTokens: 0, usd: 0 }

export interface DayTotals extends Omit<StatsDay, 'day'> {}

export function sumDays(days: readonly StatsDay[]): DayTotals {
  return days.reduce<DayTotals>(
    (sum, day) => ({
      turns: sum.turns + day.turns,
      failed: sum.failed + day.failed,
      inputTokens: sum.inputTokens + day.inputTokens,
      cachedInputTokens: sum.cachedInputTokens + day.cachedInputTokens,
      outputTokens: sum.outputTokens + day.outputTokens,
      usd: sum.usd + day.usd,
    }),
    QUIET,
  )
}

/** The share of model calls that kept the whole prompt of the call before, from 0 to 1. Undefined without any call. */
export function toRetention({ calls, breaks }: Stats['prefix']): number | undefined {
  if (calls <= 0) return undefined
  const kept = Math.max(0, calls - breaks) / calls
  // A share below 1 must not be rounded up to 100%.
  return kept < 1 ? Math.min(kept, 0.999) : 1
}
