/** The days of the week, Sunday first, as cron counts them. */
export type WeekDay = 0 | 1 | 2 | 3 | 4 | 5 | 6

interface ClockTime {
  readonly hour: number
  readonly minute: number
}

export type PatternDays =
  | { readonly type: 'every' }
  /** Monday first. */
  | { readonly type: 'week'; readonly days: readonly WeekDay[] }
  | { readonly type: 'month'; readonly day: number | 'last' }
  | { readonly type: 'nth'; readonly nth: number | 'last'; readonly day: WeekDay }

/** When a schedule runs, in a form that every language has words for. */
export type WhenPattern =
  | { readonly type: 'times'; readonly on: PatternDays; readonly times: readonly ClockTime[] }
  | {
      readonly type: 'pace'
      readonly on: PatternDays
      readonly minutes: number
      /** Whole hours, both included. */
      readonly window?: { readonly from: number; readonly to: number }
    }

const NICKNAMES: Readonly<Record<string, string>> = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@monthly': '0 0 1 * *',
}
const DAY_NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
/** More times than this are no longer said in words. */
const MAX_TIMES = 6

/** Reads a cron line. Undefined: there are no words for it. Pure. */
export function readPattern(cron: string): WhenPattern | undefined {
  const line = NICKNAMES[cron.toLowerCase()] ?? cron
  const [minute = '', hour = '', ofMonth = '', month, ofWeek = ''] = line.trim().toLowerCase().split(/\s+/)
  const on = month === '*' ? readDays(ofMonth, ofWeek) : undefined
  if (!on) return undefined
  return readPace(minute, hour, on) ?? readTimes(minute, hour, on)
}

function readPace(minute: string, hour: string, on: PatternDays): WhenPattern | undefined {
  const step = /^\*\/(\d+)$/.exec(minute)?.[1]
  const found = /^(?:\*|(\d+)-(\d+))(?:\/(\d+))?$/.exec(hour)
  if (!found || (step === undefined && minute !== '0')) return undefined
  const [, from, to, hours = '1'] = found
  if (step !== undefined && hours !== '1') return undefined
  const minutes = step === undefined ? Number(hours) * 60 : Number(step)
  // A step that does not fill an hour or a day begins anew in each.
  if (minutes === 0 || (minutes <= 60 ? 60 % minutes : 1440 % minutes) !== 0) return undefined
  const window = from === undefined ? undefined : { from: Number(from), to: Number(to) }
  return { type: 'pace', on, minutes, ...(window && { window }) }
}

function readTimes(minute: string, hour: string, on: PatternDays): WhenPattern | undefined {
  const minutes = readNumbers(minute, 59)
  const hours = readNumbers(hour, 23)
  if (!minutes || !hours || minutes.length * hours.length > MAX_TIMES) return undefined
  return {
    type: 'times',
    on,
    times: hours.flatMap((one) => minutes.map((other) => ({ hour: one, minute: other }))),
  }
}

function readDays(ofMonth: string, ofWeek: string): PatternDays | undefined {
  if (ofMonth === '*' || ofMonth === '?') return readWeek(ofWeek)
  if (ofWeek !== '*' && ofWeek !== '?') return undefined
  if (ofMonth === 'l') return { type: 'month', day: 'last' }
  const days = readNumbers(ofMonth, 31)
  return days?.length === 1 && days[0]! > 0 ? { type: 'month', day: days[0]! } : undefined
}

function readWeek(text: string): PatternDays | undefined {
  if (text === '*' || text === '?') return { type: 'every' }
  const [name = '', nth] = text.split('#')
  if (nth !== undefined) {
    const day = toDay(name)
    if (day === undefined || !/^(?:[1-5]|l)$/.test(nth)) return undefined
    return { type: 'nth', nth: nth === 'l' ? 'last' : Number(nth), day }
  }
  const found = new Set<WeekDay>()
  for (const part of text.split(',')) {
    const [first, last = first] = part.split('-').map(toDay)
    if (first === undefined || last === undefined || part.split('-').length > 2) return undefined
    for (let day: number = first; ; day = (day + 1) % 7) {
      found.add(day as WeekDay)
      if (day === last) break
    }
  }
  return found.size === 7
    ? { type: 'every' }
    : { type: 'week', days: MONDAY_FIRST.filter((day) => found.has(day)) }
}

export const MONDAY_FIRST: readonly WeekDay[] = [1, 2, 3, 4, 5, 6, 0]

function toDay(text: string): WeekDay | undefined {
  const named = DAY_NAMES.indexOf(text as (typeof DAY_NAMES)[number])
  if (named !== -1) return named as WeekDay
  return /^[0-7]$/.test(text) ? ((Number(text) % 7) as WeekDay) : undefined
}

/** "8" or "8,12,18", in order. Undefined for anything else. */
function readNumbers(text: string, most: number): readonly number[] | undefined {
  if (!/^\d{1,2}(?:,\d{1,2})*$/.test(text)) return undefined
  const numbers = [...new Set(text.split(',').map(Number))].toSorted((a, b) => a - b)
  return numbers.every((number) => number <= most) ? numbers : undefined
}

/** Monday to Friday. */
export const isWorkWeek = (days: readonly WeekDay[]): boolean =>
  days.length === 5 && !days.includes(0) && !days.includes(6)
