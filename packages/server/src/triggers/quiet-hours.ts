import type { QuietHours } from '@capstan/protocol'

const MINUTE_MS = 60_000
const DAY_MINUTES = 24 * 60

/** `HH:MM`, or undefined. */
export function toMinutes(text: string): number | undefined {
  const match = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(text)
  return match ? Number(match[1]) * 60 + Number(match[2]) : undefined
}

export function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name }).format(0)
    return true
  } catch {
    return false
  }
}

/** Until when it is quiet. Undefined: it is not. On a day when clocks change, the end is as the clock on the wall says. Pure. */
export function quietUntil(quiet: QuietHours | null, now: number): number | undefined {
  if (!quiet) return undefined
  const from = toMinutes(quiet.from)
  const to = toMinutes(quiet.to)
  if (from === undefined || to === undefined || from === to || !isTimeZone(quiet.timeZone)) return undefined
  const local = minutesAt(now, quiet.timeZone)
  const isQuiet = from < to ? local >= from && local < to : local >= from || local < to
  if (!isQuiet) return undefined
  const start = now - (now % MINUTE_MS)
  const guess = start + ((to - local + DAY_MINUTES) % DAY_MINUTES) * MINUTE_MS
  const off = (to - minutesAt(guess, quiet.timeZone) + DAY_MINUTES) % DAY_MINUTES
  const end = guess + (off > DAY_MINUTES / 2 ? off - DAY_MINUTES : off) * MINUTE_MS
  return Math.max(end, start + MINUTE_MS)
}

function minutesAt(at: number, timeZone: string): number {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(at)
  return toMinutes(text) ?? 0
}
