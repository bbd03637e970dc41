import { foldLetters } from './fold-letters.ts'
import { withHanDates } from './han-dates.ts'

/** Languages whose names of months are read. Arabic has several sets of names. */
const LOCALES = 'en ar-EG ar-SY ar-MA ar-DZ bn de de-AT es fr hi id it ja ko pt ru zh nl pl tr uk sv'.split(
  ' ',
)

/** A day as it stands in a text. */
export interface FoundDate {
  readonly year?: number
  readonly month: number
  readonly day?: number
}

const monthsByName = collectMonths()
const LONG_NAMES = new RegExp([...monthsByName.keys()].filter((name) => name.includes(' ')).join('|'), 'gu')
const START = String.raw`(?<![\p{L}\p{N}])`
const END = String.raw`(?![\p{L}\p{N}])`
const DAY = String.raw`(?<day>\d{1,2})(?:st|nd|rd|th|er|º|ª|o|\.)?`
const YEAR = String.raw`(?<year>\d{4})`
// Names are replaced by numbers first: looking for hundreds of names at every place takes long.
const MONTH = '\u0001(?<name>\\d+)\u0001'
const BETWEEN = String.raw`[\s,.]*(?:(?:de|del|of|di)\s+)?`

const PATTERNS: readonly RegExp[] = [
  String.raw`${START}${YEAR}[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})(?!\d)`,
  String.raw`${YEAR}\s*[年년]\s*(?<month>\d{1,2})\s*[月월](?:\s*(?<day>\d{1,2})\s*[日일号號]?)?`,
  String.raw`(?<![\d年년]\s?)(?<month>\d{1,2})\s*[月월]\s*(?<day>\d{1,2})\s*[日일号號]`,
  `${START}${DAY}${BETWEEN}${MONTH}${END}(?:${BETWEEN}${YEAR}${END})?`,
  `${START}${MONTH}\\.?\\s+${DAY}${END}(?:[\\s,]*${YEAR}${END})?`,
  `${START}${MONTH}${BETWEEN}${YEAR}${END}`,
  // Day first or month first: both are meant.
  String.raw`${START}(?<day>\d{1,2})(?<dot>[./-])\s?(?<month>\d{1,2})\k<dot>\s?${YEAR}${END}`,
  String.raw`${START}(?<month>\d{1,2})(?<slash>[/-])(?<day>\d{1,2})\k<slash>${YEAR}${END}`,
  String.raw`${START}(?<day>\d{1,2})\.\s?(?<month>\d{1,2})\.(?!\d)`,
].map((source) => new RegExp(source, 'gu'))

/** The dates in a folded text, in any of the notations and languages that are known. */
export function findDates(folded: string): FoundDate[] {
  if (!/\d|[月日]/.test(folded)) return []
  const numbered = withNumbers(folded)
  return PATTERNS.flatMap((pattern) =>
    [...numbered.matchAll(pattern)].flatMap(({ groups }) => toDate(groups)),
  )
}

/** The month that a folded word names. */
export const monthOf = (word: string): number | undefined => monthsByName.get(word)

/** A folded text without its dates. */
export function withoutDates(folded: string): string {
  if (findDates(folded).length === 0) return folded
  return PATTERNS.reduce((text, pattern) => text.replaceAll(pattern, ' '), withNumbers(folded))
}

/** The text with the number of each month in place of its name. */
function withNumbers(folded: string): string {
  const toNumber = (name: string): string => {
    const month = monthsByName.get(name)
    return month === undefined ? name : `\u0001${month}\u0001`
  }
  return withHanDates(folded)
    .replaceAll(LONG_NAMES, toNumber)
    .replaceAll(/[\p{L}\p{M}]+/gu, toNumber)
}

function toDate(groups: Record<string, string | undefined> = {}): FoundDate[] {
  const month = Number(groups['name'] ?? groups['month'])
  const day = groups['day'] === undefined ? undefined : Number(groups['day'])
  if (month < 1 || month > 12 || day === 0 || (day ?? 1) > 31) return []
  return [
    { month, ...(day && { day }), ...(groups['year'] !== undefined && { year: Number(groups['year']) }) },
  ]
}

function collectMonths(): Map<string, number> {
  const months = new Map<string, number>()
  for (const locale of LOCALES) {
    // With the day a month stands in the genitive, where a language has one.
    for (const style of ['long', 'short'] as const) {
      for (const day of [undefined, 'numeric'] as const) {
        const format = new Intl.DateTimeFormat(locale, { month: style, ...(day && { day }), timeZone: 'UTC' })
        for (let month = 1; month <= 12; month++) {
          const part = format
            .formatToParts(Date.UTC(2026, month - 1, 15))
            .find(({ type }) => type === 'month')
          const name = foldLetters(part?.value ?? '').replace(/\.$/, '')
          if (/^[\p{L}\p{M} ]{2,}$/u.test(name) && !months.has(name)) months.set(name, month)
        }
      }
    }
  }
  return months
}
