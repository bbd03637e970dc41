import type { Language } from './language.ts'
import { withRegion } from './language.ts'

/** Formats dates, amounts and lists for one language and the browser's region. Times are milliseconds since 1970. */
export interface Formatters {
  /** 16 Nov 2026 */
  date(at: number): string
  /** 02:38 */
  time(at: number): string
  dateTime(at: number): string
  /** A day as the server names it, `2026-11-16`, without the year. */
  day(day: string): string
  /** November 2026 */
  month(at: number): string
  /** now, 5 minutes ago, in 2 hours, yesterday */
  relative(at: number, now?: number): string
  number(value: number): string
  /** 12K */
  compact(value: number): string
  /** Of a ratio: 0.25 is 25%. */
  percent(ratio: number): string
  /** US dollars. Small amounts keep their significant digits. */
  currency(usd: number): string
  /** 340 ms, 3.2 s, 2 min 5 s, 1 h 4 min, 1 day 4 h, 6 days */
  duration(ms: number): string
  /** 3.4 MB */
  bytes(count: number): string
  /** a, b and c */
  list(items: readonly string[]): string
  /** 08:00, as clocks show it in this language. */
  clock(hour: number, minute: number): string
  /** Monday. Sunday is 0. */
  weekday(day: number): string
  /** Mon, 16 Nov 2026, 08:00, as the clocks of a time zone show it. */
  inZone(at: number, zone: string): string
}

const made = new WeakMap<readonly string[], Map<Language, Formatters>>()

/** Returns the same object every time: creating the `Intl` parts is slow. */
export function formattersFor(
  language: Language,
  browser: readonly string[] = navigator.languages,
): Formatters {
  const all = made.get(browser) ?? new Map<Language, Formatters>()
  made.set(browser, all)
  const formatters = all.get(language) ?? createFormatters(withRegion(language, browser))
  all.set(language, formatters)
  return formatters
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Largest first: the length of the unit, and the duration from which it is used. */
const RELATIVE_UNITS = [
  ['year', 365 * DAY],
  ['month', 30 * DAY],
  ['week', 7 * DAY],
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const

const A_SUNDAY = Date.UTC(2026, 10, 1)
const IN_ZONE = {
  weekday: 'short',
  year: 'numeric',
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
} as const

const BYTE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte', 'terabyte'] as const

function createFormatters(language: string): Formatters {
  const lazily = <T>(make: () => T): (() => T) => {
    let value: T | undefined
    return () => (value ??= make())
  }
  const dates = (options: Intl.DateTimeFormatOptions) =>
    lazily(() => new Intl.DateTimeFormat(language, options))
  const numbers = (options: Intl.NumberFormatOptions) =>
    lazily(() => new Intl.NumberFormat(language, options))
  const unit = (name: string, maximumFractionDigits: number) =>
    numbers({ style: 'unit', unit: name, unitDisplay: 'short', maximumFractionDigits })

  const date = dates({ dateStyle: 'medium' })
  const time = dates({ timeStyle: 'short' })
  const dateTime = dates({ dateStyle: 'medium', timeStyle: 'short' })
  const day = dates({ day: 'numeric', month: 'short', timeZone: 'UTC' })
  const month = dates({ month: 'long', year: 'numeric' })
  const relative = lazily(() => new Intl.RelativeTimeFormat(language, { numeric: 'auto' }))
  const number = numbers({ maximumFractionDigits: 2 })
  const compact = numbers({ notation: 'compact', maximumFractionDigits: 1 })
  const percent = numbers({ style: 'percent', maximumFractionDigits: 1 })
  const dollars = { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol' } as const
  const wholeCents = numbers(dollars)
  const partsOfCents = numbers({ ...dollars, maximumSignificantDigits: 2 })
  const list = lazily(() => new Intl.ListFormat(language, { type: 'conjunction' }))
  const units = lazily(() => new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }))
  const milliseconds = unit('millisecond', 0)
  const tenths = unit('second', 1)
  const seconds = unit('second', 0)
  const minutes = unit('minute', 0)
  const hours = unit('hour', 0)
  const days = unit('day', 0)
  const clock = dates({ timeStyle: 'short', timeZone: 'UTC' })
  const weekday = dates({ weekday: 'long', timeZone: 'UTC' })
  const zones = new Map<string, Intl.DateTimeFormat>()
  const bytes = BYTE_UNITS.map((name) => unit(name, 1))

  return {
    date: (at) => date().format(at),
    time: (at) => time().format(at),
    dateTime: (at) => dateTime().format(at),
    day: (name) => day().format(Date.parse(`${name}T00:00:00Z`)),
    month: (at) => month().format(at),
    relative: (at, now = Date.now()) => {
      const apart = at - now
      const match = RELATIVE_UNITS.find(([, length]) => Math.abs(apart) >= length)
      return match
        ? relative().format(Math.trunc(apart / match[1]), match[0])
        : relative().format(0, 'second')
    },
    number: (value) => number().format(value),
    compact: (value) => compact().format(value),
    percent: (ratio) => percent().format(ratio),
    currency: (usd) => (usd === 0 || Math.abs(usd) >= 0.1 ? wholeCents() : partsOfCents()).format(usd),
    duration: (ms) => {
      if (ms < SECOND - 0.5) return milliseconds().format(Math.round(ms))
      // 9.96 s would read "10 s" and 59.96 s "60 s": what is rounded up counts in the next unit.
      if (ms < MINUTE - 50) return tenths().format(ms / SECOND)
      const whole = Math.round(ms / SECOND)
      if (whole < 3600) {
        return units().format(nonZero([minutes(), Math.floor(whole / 60)], [seconds(), whole % 60]))
      }
      if (whole < 86_400) {
        return units().format(
          nonZero([hours(), Math.floor(whole / 3600)], [minutes(), Math.floor((whole % 3600) / 60)]),
        )
      }
      // Beyond two days hours are left out.
      if (whole >= 172_800) return days().format(Math.round(whole / 86_400))
      return units().format(nonZero([days(), 1], [hours(), Math.floor((whole % 86_400) / 3600)]))
    },
    bytes: (count) => {
      const step = count < 1 ? 0 : Math.min(Math.floor(Math.log10(count) / 3), BYTE_UNITS.length - 1)
      return bytes[step]?.().format(count / 1000 ** step) ?? String(count)
    },
    list: (items) => list().format(items),
    clock: (hour, minute) => clock().format(hour * HOUR + minute * MINUTE),
    weekday: (name) => weekday().format(A_SUNDAY + name * DAY),
    inZone: (at, zone) => {
      const known = zones.get(zone) ?? new Intl.DateTimeFormat(language, { ...IN_ZONE, timeZone: zone })
      zones.set(zone, known)
      return known.format(at)
    },
  }
}

function nonZero(...parts: readonly (readonly [Intl.NumberFormat, number])[]): string[] {
  return parts.filter(([, value]) => value > 0).map(([format, value]) => format.format(value))
}
