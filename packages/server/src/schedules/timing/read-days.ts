import type { Day } from './read-times.ts'

type Take = (pattern: RegExp) => RegExpExecArray | undefined

const NAMES = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const NAME = String.raw`(?:sun|mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?)(?:day)?s?`
const OF_MONTH = String.raw`(?: (?:of|in|day of))?(?: (?:the|every|each|a))? months?`
const NTH_WEEKDAY = new RegExp(String.raw`\b(?:(\d)(?:st|nd|rd|th)|last) (${NAME})${OF_MONTH}\b`)
const NTH_DAY = new RegExp(
  String.raw`\b(?:(?:monthly|every month|each month) )?(?:on )?(?:the )?(?:(\d{1,2})(?:st|nd|rd|th)?(?: day)?|last day)${OF_MONTH}\b`,
)
const MONTHLY =
  /\b(?:monthly|(?:every|each|once a) month)(?: on)?(?: the)? (?:(\d{1,2})(?:st|nd|rd|th)?(?: day)?|last(?: day)?)\b/
const RANGE = new RegExp(String.raw`\b(${NAME})(?: to | until | through | ?- ?)(${NAME})\b`)
const LIST = new RegExp(String.raw`\b(${NAME})\b`)

/** On which days: "every weekday", "mondays and thursdays", "on the 1st of every month". Undefined: it does not say. */
export function readDays(take: Take): Day | 'unclear' | undefined {
  const nth = take(NTH_WEEKDAY)
  if (nth) return { ofMonth: '*', ofWeek: `${toNumber(nth[2]!)}#${nth[1] ?? 'L'}` }
  const day = take(NTH_DAY) ?? take(MONTHLY)
  if (day) return { ofMonth: day[1] ?? 'L', ofWeek: '*' }
  const days = readWeekDays(take)
  if (!days) return 'unclear'
  if (days.length > 0) return { ofMonth: '*', ofWeek: days.join(',') }
  return take(/\b(?:daily|every day|each day|once a day|days)\b/) ? { ofMonth: '*', ofWeek: '*' } : undefined
}

/** Undefined: once a week, and it does not say on which day. */
function readWeekDays(take: Take): readonly string[] | undefined {
  const days: string[] = []
  if (take(/\b(?:weekdays?|week days?|workdays?|working days?|business days?)\b/)) days.push('1-5')
  if (take(/\bweekends?\b/)) days.push('6,0')
  const isWeekly = take(/\bweekly\b|\bevery week\b/) !== undefined
  for (let range = take(RANGE); range; range = take(RANGE)) {
    const from = toNumber(range[1]!)
    // Sunday at the end of a range is day 7.
    const to = toNumber(range[2]!) || 7
    days.push(from < to ? `${from}-${to}` : `${from}-6,0-${to}`)
  }
  for (let one = take(LIST); one; one = take(LIST)) days.push(String(toNumber(one[1]!)))
  return isWeekly && days.length === 0 ? undefined : days
}

const toNumber = (name: string): number => NAMES.findIndex((known) => name.startsWith(known))
