import type { ArgumentValue } from './argument-values.ts'
import { isDateOrTime, isIdName } from './argument-values.ts'
import type { Doubt } from './doubt.ts'
import type { FlowTool } from './flow-types.ts'
import type { Seen } from './provenance.ts'
import { findOrigin, isAskedFor, isSaid } from './provenance.ts'
import { singular, toKey, toNameWords, toWords } from './words.ts'

const MAX_RECORDS = 20
const MAX_QUOTED_LINES = 50
/** Fewer words are a name. */
const MIN_QUOTED_WORDS = 3
const DATE = /^\d{4}-\d{2}-(\d{2})/

/**
 * Something in the call, or the act itself, must come from the user. A text can say that a thing the user asked about is
 * to be deleted or approved: then the thing is theirs and the act is not.
 */
export function judgeSupport(
  tool: FlowTool,
  destinations: readonly string[],
  others: readonly ArgumentValue[],
  seen: Seen,
): Doubt | undefined {
  if (destinations.length === 0 && isMereAcknowledgement(tool, others, seen)) return undefined
  if (destinations.some((value) => isSaid(value, seen))) return undefined
  if (others.some(({ value }) => isFromUser(value, seen))) return undefined
  if (others.some(({ name, value }) => !isIdName(name) && isQuoted(value, seen))) return undefined
  if (actShare(tool, others, seen) >= neededShare(others, destinations, seen)) return undefined
  return { rule: 'nothing-from-the-user', values: destinations, cells: [] }
}

/** Whether all that was read is one word that does not name this act or what it acts on. */
function isMereAcknowledgement(
  { name }: FlowTool,
  others: readonly ArgumentValue[],
  { acknowledgement }: Seen,
): boolean {
  if (acknowledgement === undefined || acknowledgement === '') return acknowledgement === ''
  const words = [...toNameWords(name), ...others.flatMap(({ value }) => toWords(value))]
  return words.every((word) => !word.startsWith(acknowledgement) && !acknowledgement.startsWith(word))
}

const isFromUser = (value: string, seen: Seen): boolean =>
  isSaid(value, seen) || seen.user.share(toWords(value)) >= 0.5

/** Whether the user said the day of a date. */
function isDaySaid(value: string, { user }: Seen): boolean {
  const day = DATE.exec(value)?.[1]
  return day !== undefined && user.hasWord(String(Number(day)))
}

/**
 * How much of the act the user named. Words that the tool shares with those that only read, or that describe the thing it
 * acts on, say nothing about the act: `items` for an order that has items.
 */
export function actShare({ name }: FlowTool, others: readonly ArgumentValue[], seen: Seen): number {
  const words = toNameWords(name)
  const thing = thingWords(others, seen)
  const telling = words.filter((word) => !seen.readWords.has(singular(word)) && !thing.has(word))
  return Math.max(seen.user.share(telling), seen.user.share(words) === 1 ? 1 : 0)
}

/** The words in the names of the fields of the things that a call acts on. Their writers cannot choose these. */
function thingWords(others: readonly ArgumentValue[], seen: Seen): ReadonlySet<string> {
  const ids = others.filter(({ name }) => isIdName(name))
  const cells = ids.flatMap(({ value }) => findOrigin(value, seen).cells).slice(0, MAX_RECORDS)
  const fields = cells.flatMap((cell) => seen.results.recordOf(cell)).filter(({ isKey }) => isKey)
  return new Set(fields.flatMap(({ words }) => words.split(' ')))
}

/**
 * How much of the act must be named. Half is enough for a thing that the user asked about, and for a destination out
 * of their own data that third parties cannot write. Another destination that was looked up needs all of it.
 */
function neededShare(others: readonly ArgumentValue[], destinations: readonly string[], seen: Seen): number {
  if (destinations.length > 0) return destinations.every((value) => isOwnData(value, seen)) ? 0.5 : 1
  const asked = others.filter(({ value }) => isAskedFor(findOrigin(value, seen), seen))
  if (asked.some(({ name }) => isIdName(name)) && others.some(({ value }) => isDaySaid(value, seen))) return 0
  if (asked.length > 0) return 0.5
  return others.some(({ value }) => seen.user.relates(toWords(value))) ? 0.5 : 0.6
}

const isOwnData = (value: string, seen: Seen): boolean =>
  findOrigin(value, seen).type === 'trusted' &&
  seen.results.find(toKey(value)).values.some(({ source }) => source.isPrivate && !source.isUntrusted)

/** Whether a text contains a whole line or field of private data that the user pointed at. */
function isQuoted(text: string, seen: Seen): boolean {
  return text.split('\n', MAX_QUOTED_LINES).some((line) => {
    if (toWords(line).length < MIN_QUOTED_WORDS || isDateOrTime(line)) return false
    return seen.results
      .find(toKey(line))
      .values.some(({ source }) => source.isPrivate && source.lead === 'user')
  })
}
