/** On which days, as two fields of a cron line. */
export interface Day {
  readonly ofMonth: string
  readonly ofWeek: string
}

interface Time {
  readonly hour: number
  readonly minute: number
}

type Take = (pattern: RegExp) => RegExpExecArray | undefined

const SPOKEN = String.raw`(?:half past |(?:a )?quarter past |(?:a )?quarter to )`
const CLOCK = String.raw`\d{1,2}(?:[:.h ]\d{2})?(?:h\b)?(?: ?o'?clock)?(?: ?[ap]m\b)?`
const PART = String.raw`(?: in the (?:morning|afternoon|evening)| at night)`
const TIME = String.raw`(?:${SPOKEN}?${CLOCK}|noon|midday|midnight)${PART}?`
const TIMES = new RegExp(String.raw`(?:\bat |@ ?)${TIME}(?: and (?:at )?${TIME}(?! ?(?:st|nd|rd|th)))*`)
/** Without "at" only what cannot be anything else: "weekdays 8:30", "daily 8am". */
const BARE = /\b\d{1,2}(?::\d{2}(?: ?[ap]m)?| ?[ap]m)\b/
const ONE = new RegExp(
  String.raw`^(half past |(?:a )?quarter past |(?:a )?quarter to )?(\d{1,2})(?:[:.h ](\d{2}))?h?(?: ?o'?clock)?(?: ?([ap]m))?( in the (?:morning|afternoon|evening)| at night)?$`,
)

/** Times of the day: "at 8 and 17:00", "every morning". */
export function readTimes(take: Take): readonly Time[] | 'unclear' {
  const listed = take(TIMES)?.[0].replace(/^(?:at |@ ?)/, '') ?? take(BARE)?.[0]
  const part = take(
    /\b(?:every |each |daily )?(?:in the )?(morning|noon|afternoon|evening|night|midnight)s?\b/,
  )?.[1]
  if (listed === undefined) return part === undefined ? [] : [PARTS[part]!]
  const times = listed.split(/ and (?:at )?/).map((one) => readTime(one, part))
  return times.every((time) => time !== undefined) ? times : 'unclear'
}

/** A part of the day without a time. */
const PARTS: Readonly<Record<string, Time>> = {
  morning: { hour: 8, minute: 0 },
  noon: { hour: 12, minute: 0 },
  afternoon: { hour: 15, minute: 0 },
  evening: { hour: 18, minute: 0 },
  night: { hour: 22, minute: 0 },
  midnight: { hour: 0, minute: 0 },
}

function readTime(text: string, partOfAll: string | undefined): Time | undefined {
  const named = /^(noon|midday|midnight)/.exec(text)?.[1]
  if (named !== undefined) return { hour: named === 'midnight' ? 0 : 12, minute: 0 }
  const [, spoken, hours, minutes = '0', half, part = partOfAll] = ONE.exec(text) ?? []
  if (hours === undefined) return undefined
  const hour = toHour(Number(hours), half, part)
  const minute = Number(minutes)
  if (hour === undefined || hour > 23 || minute > 59) return undefined
  if (spoken?.startsWith('half')) return { hour, minute: 30 }
  if (spoken?.endsWith('past ')) return { hour, minute: 15 }
  return spoken === undefined ? { hour, minute } : { hour: (hour + 23) % 24, minute: 45 }
}

function toHour(hour: number, half: string | undefined, part: string | undefined): number | undefined {
  if (half !== undefined) return hour < 1 || hour > 12 ? undefined : (hour % 12) + (half === 'pm' ? 12 : 0)
  if (part?.endsWith('night') && hour === 12) return 0
  const isLate =
    part?.endsWith('afternoon') || part?.endsWith('evening') || (part?.endsWith('night') && hour > 5)
  return isLate && hour < 12 ? hour + 12 : hour
}
