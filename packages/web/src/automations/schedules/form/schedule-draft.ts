import type { MisfireRule, SchedulePatch, SchedulePost, ScheduleRow, ThreadId } from '@capstan/protocol'
import type { WeekDay } from '../timing/when-pattern.ts'
import { isWorkWeek, MONDAY_FIRST, readPattern } from '../timing/when-pattern.ts'

/** How a person says when: one of the common choices, or words. */
export const WAYS = ['daily', 'weekdays', 'weekly', 'monthly', 'hourly', 'words'] as const
type Way = (typeof WAYS)[number]

/** In minutes. */
export const PACES = [15, 30, 60, 120, 180, 240, 360, 480, 720] as const

/** What stands in the form. What was entered for another way stays. */
export interface ScheduleDraft {
  readonly prompt: string
  readonly title: string
  readonly way: Way
  /** 08:00, as the browser's time field gives it. */
  readonly time: string
  readonly days: readonly WeekDay[]
  /** 1 to 31, or `last`. */
  readonly monthDay: string
  readonly pace: number
  readonly words: string
  readonly zone: string
  /** Empty: a thread for each run. */
  readonly threadId: string
  readonly misfire: MisfireRule
  readonly usd: string
  readonly minutes: string
}

export const LIMITS = { usd: { least: 0.01, most: 1000 }, minutes: { least: 1, most: 600 } } as const

export function emptyDraft(zone: string): ScheduleDraft {
  return {
    prompt: '',
    title: '',
    way: 'weekdays',
    time: '08:00',
    days: [1],
    monthDay: '1',
    pace: 120,
    words: '',
    zone,
    threadId: '',
    misfire: 'once',
    usd: '1',
    minutes: '30',
  }
}

/** A schedule as it stands in the form. Words of the person stay words. */
export function toDraft(row: ScheduleRow): ScheduleDraft {
  const { prompt, title, when, cron, zone, threadId = '', misfire, limits } = row
  return {
    ...emptyDraft(zone),
    way: 'words',
    words: when,
    ...(when === cron && toChoice(cron)),
    prompt,
    title,
    threadId,
    misfire,
    usd: String(limits.usd),
    minutes: String(limits.minutes),
  }
}

/** The common choice that a cron line is. */
function toChoice(cron: string): Partial<ScheduleDraft> | undefined {
  const pattern = readPattern(cron)
  if (!pattern) return undefined
  const { on } = pattern
  if (pattern.type === 'pace') {
    const { minutes: pace, window } = pattern
    return on.type === 'every' && !window && PACES.some((one) => one === pace)
      ? { way: 'hourly', pace }
      : undefined
  }
  const [at, ...more] = pattern.times
  if (!at || more.length > 0) return undefined
  const time = `${pad(at.hour)}:${pad(at.minute)}`
  if (on.type === 'every') return { way: 'daily', time }
  if (on.type === 'week') return { way: isWorkWeek(on.days) ? 'weekdays' : 'weekly', days: on.days, time }
  return on.type === 'month' ? { way: 'monthly', monthDay: String(on.day), time } : undefined
}

const pad = (number: number): string => String(number).padStart(2, '0')

/** What the server is asked to understand. Empty: something is missing. */
export function toWhen(draft: ScheduleDraft): string {
  const { way, pace, words, days, monthDay } = draft
  if (way === 'words') return words.trim()
  if (way === 'hourly')
    return pace < 60 ? `*/${pace} * * * *` : `0 ${pace === 60 ? '*' : `*/${pace / 60}`} * * *`
  const [hour, minute] = draft.time.split(':').map(Number)
  if (hour === undefined || minute === undefined) return ''
  const at = `${minute} ${hour}`
  if (way === 'monthly') return `${at} ${monthDay === 'last' ? 'L' : monthDay} * *`
  if (way === 'daily') return `${at} * * *`
  if (way === 'weekdays') return `${at} * * 1-5`
  return days.length === 0 ? '' : `${at} * * ${MONDAY_FIRST.filter((day) => days.includes(day)).join(',')}`
}

export function toPost(draft: ScheduleDraft): SchedulePost {
  const { prompt, title, zone, threadId, misfire } = draft
  return {
    prompt,
    when: toWhen(draft),
    zone: zone.trim(),
    misfire,
    limits: toLimits(draft),
    ...(title.trim() !== '' && { title }),
    ...(threadId !== '' && { threadId: threadId as ThreadId }),
  }
}

/** What differs from the schedule as it was read, so that a change in another window is not undone. */
export function toPatch(draft: ScheduleDraft, before: ScheduleRow): SchedulePatch {
  const { prompt, title, misfire, zone, threadId } = draft
  const when = toWhen(draft)
  const limits = toLimits(draft)
  const { usd, minutes } = before.limits
  return {
    ...(prompt !== before.prompt && { prompt }),
    ...(title !== before.title && { title }),
    ...(when !== before.when && { when }),
    ...(zone.trim() !== before.zone && { zone: zone.trim() }),
    ...(misfire !== before.misfire && { misfire }),
    ...((limits.usd !== usd || limits.minutes !== minutes) && { limits }),
    ...(threadId !== (before.threadId ?? '') && {
      threadId: threadId === '' ? null : (threadId as ThreadId),
    }),
  }
}

const toLimits = ({ usd, minutes }: ScheduleDraft) => ({ usd: Number(usd), minutes: Number(minutes) })

export type DraftField = 'prompt' | 'time' | 'days' | 'words' | 'usd' | 'minutes'

/** The fields that cannot be sent as they are, in the order of the form. Pure. */
export function findProblems(draft: ScheduleDraft): readonly DraftField[] {
  const { prompt, way, time, days, words, usd, minutes } = draft
  const isWithin = (text: string, { least, most }: { readonly least: number; readonly most: number }) =>
    text.trim() !== '' && Number(text) >= least && Number(text) <= most
  return [
    ...(prompt.trim() === '' ? (['prompt'] as const) : []),
    ...(way === 'words' && words.trim() === '' ? (['words'] as const) : []),
    ...(way === 'weekly' && days.length === 0 ? (['days'] as const) : []),
    ...(way !== 'words' && way !== 'hourly' && time === '' ? (['time'] as const) : []),
    ...(isWithin(usd, LIMITS.usd) ? [] : (['usd'] as const)),
    ...(isWithin(minutes, LIMITS.minutes) && Number.isInteger(Number(minutes)) ? [] : (['minutes'] as const)),
  ]
}
