import type { Usage } from '@capstan/protocol'

// Numbers formatted for people, the same on every screen and in every report.

/** "1,200". */
export const toNumber = (n: number): string => n.toLocaleString('en-US')

/** "1 step", "1,200 tokens". */
export const toCount = (n: number, what: string): string => `${toNumber(n)} ${what}${n === 1 ? '' : 's'}`

/** "12 ms", "1.3 s", "2 days 2 h". Uses at most the two largest units. */
export function toDuration(ms: number): string {
  if (ms < 1) return '<1 ms'
  if (Math.round(ms) < 1000) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1000).toFixed(1)} s`
  const seconds = Math.round(ms / 1000)
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 1440) return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
  return `${toCount(Math.floor(minutes / 1440), 'day')} ${Math.floor((minutes % 1440) / 60)} h`
}

/** A cost in US dollars, with "about" when a part of it is estimated. Without a price it is unknown, not nothing. */
export function toCost({ chargedUsd, estimatedUsd }: Pick<Usage, 'chargedUsd' | 'estimatedUsd'>): string {
  const usd = chargedUsd + estimatedUsd
  if (usd === 0) return 'cost unknown'
  if (usd < 0.0001) return 'under $0.0001'
  const amount = `$${usd.toFixed(usd < 1 ? 4 : 2)}`
  return estimatedUsd > 0 ? `about ${amount}` : amount
}

/** "1,200 tokens in (800 cached), 80 out". */
export function toTokens({ inputTokens, cachedInputTokens, outputTokens }: Usage): string {
  const cached = cachedInputTokens > 0 ? ` (${toNumber(cachedInputTokens)} cached)` : ''
  return `${toCount(inputTokens, 'token')} in${cached}, ${toNumber(outputTokens)} out`
}
