import type { SyncLimits, SyncState } from './sync-state.ts'

const CHARS_PER_TOKEN = 4

/** What was used on the day of `now`, in UTC. A new day begins at nothing. */
export function useOfDay(used: SyncState['used'], now: number): SyncState['used'] {
  const day = new Date(now).toISOString().slice(0, 10)
  return used.day === day ? used : { day, requests: 0, tokens: 0 }
}

/** Which budget of the day is used up. */
export function findUsedUp(used: SyncState['used'], limits: SyncLimits): 'requests' | 'tokens' | undefined {
  if (used.requests >= limits.requestsPerDay) return 'requests'
  return used.tokens >= limits.tokensPerDay ? 'tokens' : undefined
}

/** When the next day begins, in UTC. */
export const nextDay = (now: number): number => {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
}

/** About how many tokens a text has. */
export const toTokens = (text: string): number => Math.ceil(text.length / CHARS_PER_TOKEN)
