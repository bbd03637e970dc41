const FIRST_MS = 10_000
const LONGEST_MS = 60 * 60_000
/** A service that asks for more is asked again all the same. */
const LONGEST_ASKED_MS = 24 * 60 * 60_000

/**
 * How long to wait after so many failed attempts in a row: twice as long each time, and by chance up to a half less, so
 * that jobs that failed together do not come back together. Never less than the service asks for, up to a day.
 */
export function toRetryDelay(attempts: number, retryAfterMs = 0, random: () => number = Math.random): number {
  const most = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempts - 1))
  const asked = retryAfterMs > 0 ? Math.min(LONGEST_ASKED_MS, retryAfterMs) : 0
  return Math.max(asked, Math.round(most * (1 - random() / 2)))
}
