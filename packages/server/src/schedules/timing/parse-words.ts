import { readDays } from './read-days.ts'
import type { Day } from './read-times.ts'
import { readTimes } from './read-times.ts'
import { openWords } from './words.ts'

/** What a text means as a cron line, or why it does not mean one. */
export type ParsedWords =
  | { readonly type: 'cron'; readonly cron: string }
  /** `needs-time`: it says on which days, and not at what time. `mixed`: its times need several cron lines. */
  | { readonly type: 'unclear' | 'needs-time' | 'mixed' }

const UNCLEAR = { type: 'unclear' } as const

/**
 * Reads when something happens again and again, in plain English: "every weekday at eight". Every word must be understood,
 * so that nothing is taken for something else. Pure.
 */
export function parseWords(text: string): ParsedWords {
  const words = openWords(text)
  const pace = readPace(words.take)
  const times = readTimes(words.take)
  const days = readDays(words.take)
  if (!words.isUsedUp() || times === 'unclear' || days === 'unclear') return UNCLEAR
  if (pace === 'unclear' || (pace && times.length > 0)) return UNCLEAR
  const on = days ?? EVERY_DAY
  if (pace) return toCron(pace.minute, pace.hour, on)
  if (times.length === 0) return days ? { type: 'needs-time' } : UNCLEAR
  const minutes = new Set(times.map(({ minute }) => minute))
  if (minutes.size > 1) return { type: 'mixed' }
  const hours = [...new Set(times.map(({ hour }) => hour))].toSorted((a, b) => a - b)
  return toCron([...minutes].join(','), hours.join(','), on)
}

const EVERY_DAY: Day = { ofMonth: '*', ofWeek: '*' }

const toCron = (minute: string, hour: string, { ofMonth, ofWeek }: Day): ParsedWords => ({
  type: 'cron',
  cron: `${minute} ${hour} ${ofMonth} * ${ofWeek}`,
})

type Pace = { readonly minute: string; readonly hour: string }

/** "every 2 hours from 8 to 18". */
function readPace(take: (pattern: RegExp) => RegExpExecArray | undefined): Pace | 'unclear' | undefined {
  const found = take(
    /\b(?:hourly|(?:every|each) (?:(?:(\d{1,4}) )?(min(?:ute)?s?|hours?|hrs?|h)|(half|quarter)(?: of)?(?: an)? hour))\b/,
  )
  const window = take(
    /\b(?:between|from) (\d{1,2})(?::00)?( ?[ap]m)? (?:and|to|until|till|-) (\d{1,2})(?::00)?( ?[ap]m)?\b/,
  )
  if (!found) return window ? 'unclear' : undefined
  const [, count = '1', unit = 'hour', part] = found
  const step =
    part === 'half' ? 30 : part === 'quarter' ? 15 : Number(count) * (unit.startsWith('m') ? 1 : 60)
  const hours = window ? toHours(window) : '*'
  if (hours === undefined || step === 0) return 'unclear'
  // A step that does not fill an hour or a day evenly would begin anew in each.
  if (step <= 60)
    return 60 % step === 0 ? { minute: step === 60 ? '0' : `*/${step}`, hour: hours } : 'unclear'
  if (step % 60 !== 0 || 24 % (step / 60) !== 0) return 'unclear'
  if (step < 24 * 60) return { minute: '0', hour: `${hours}/${step / 60}` }
  return window ? 'unclear' : { minute: '0', hour: '0' }
}

function toHours([, from, fromHalf, to, toHalf]: RegExpExecArray): string | undefined {
  const first = toHour(Number(from), fromHalf)
  const last = toHour(Number(to), toHalf)
  return first < last && last <= 23 ? `${first}-${last}` : undefined
}

const toHour = (hour: number, half = ''): number =>
  half.trim() === '' ? hour : (hour % 12) + (half.trim() === 'pm' ? 12 : 0)
