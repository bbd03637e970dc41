import type { SyncEstimate, SyncSettings } from '@capstan/protocol'
import { SYNC_BOUNDS } from '@capstan/protocol'

/** The limits that a person can change. */
export const LIMITS = ['days', 'items', 'requestsPerDay', 'tokensPerDay', 'intervalMinutes'] as const

export type Limit = (typeof LIMITS)[number]

/** What was typed. */
export type LimitsDraft = Readonly<Record<Limit, string>>

export const toDraft = (settings: SyncSettings): LimitsDraft => ({
  days: String(settings.days),
  items: String(settings.items),
  requestsPerDay: String(settings.requestsPerDay),
  tokensPerDay: String(settings.tokensPerDay),
  intervalMinutes: String(settings.intervalMinutes),
})

/** The number that was typed. Undefined when it is none, or out of its bounds. */
export function readLimit(draft: LimitsDraft, limit: Limit): number | undefined {
  const { min, max } = SYNC_BOUNDS[limit]
  const typed = draft[limit].trim()
  const value = Number(typed)
  return typed !== '' && Number.isInteger(value) && value >= min && value <= max ? value : undefined
}

/** All limits. Undefined when one of them is not usable. */
export function readLimits(draft: LimitsDraft): Pick<SyncSettings, Limit> | undefined {
  const values = LIMITS.map((limit) => [limit, readLimit(draft, limit)] as const)
  if (values.some(([, value]) => value === undefined)) return undefined
  return Object.fromEntries(values) as unknown as Pick<SyncSettings, Limit>
}

/** How many days a first sync takes under these limits of a day. */
export function countDays(
  { requests, tokens }: SyncEstimate,
  { requestsPerDay, tokensPerDay }: Pick<SyncSettings, 'requestsPerDay' | 'tokensPerDay'>,
): number {
  return Math.max(1, Math.ceil(Math.max(requests / requestsPerDay, tokens / tokensPerDay)))
}
