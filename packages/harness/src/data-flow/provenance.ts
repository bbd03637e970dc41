import { isHostOrUrl, parseWebAddress, toAddressKey } from './addresses.ts'
import type { SpentBits } from './spent-bits.ts'
import type { Found, FoundCell, Lead, SourceIndex } from './source-index.ts'
import type { UserWords } from './user-words.ts'
import { hasKey, joinGroups, singular, toKey, toNameWords, toWords } from './words.ts'

/** Where a value came from, and the cells that show it. */
export interface Origin {
  readonly type:
    /** The user said it. */
    | 'user'
    /** Third parties cannot write it: a trusted result, or a field that a tool made, in what nobody else led to. */
    | 'trusted'
    /** A field of a result that third parties can write into. */
    | 'field'
    /** Inside of an untrusted text, or reached only because an untrusted text said so. */
    | 'untrusted'
    | 'unknown'
  readonly cells: readonly FoundCell[]
}

/** What a thread has seen. */
export interface Seen {
  readonly user: UserWords
  readonly results: SourceIndex
  readonly descriptions: SourceIndex
  /** The arguments of calls that were not allowed without a question. */
  readonly written: SourceIndex
  /** Keys of values that the assistant used before any text contained them: a later text repeats them. */
  readonly own: ReadonlySet<string>
  /** Addresses that the user said, or that stand in results that third parties cannot write. */
  readonly known: ReadonlySet<string>
  /** The words in the names of tools that were called and only read, in the singular. */
  readonly readWords: ReadonlySet<string>
  /** What the addresses that were read could have told their hosts. */
  readonly spent: SpentBits
  /** The one word that all untrusted texts so far consist of, such as `saved`. `undefined`: they say more. */
  readonly acknowledgement: string | undefined
}

/** The ways to write a value that count as the same. */
function keysOf(value: string): string[] {
  const words = toWords(value)
  return [...new Set([words.join(' '), toAddressKey(value), ...joinGroups(words)])].filter(
    (key) => key !== '',
  )
}

const isAddress = (value: string): boolean => isMailAddress(value) || isHostOrUrl(value)

const isMailAddress = (value: string): boolean => /^[^\s@]{1,100}@[^\s@]{1,300}$/.test(value.trim())

/**
 * Whether the user said a value. An address only letter by letter: its words may stand in a sentence that means
 * something else.
 */
export function isSaid(value: string, { user }: Seen): boolean {
  if (isAddress(value)) return user.hasAddress(value)
  return keysOf(value).some((key) => user.has(key))
}

/**
 * Finds where a value came from. The least trusted place that could have put it there decides. `idOf`: the value is an id
 * for a tool whose name has these words.
 */
export function findOrigin(value: string, seen: Seen, idOf?: readonly string[]): Origin {
  const origin = findPlace(value, seen, idOf)
  const isOwn = origin.type !== 'user' && seen.own.has(toKey(value))
  // A record can really have a name that the assistant tried. An address must not be proved by its own echo.
  return isOwn && (origin.type === 'untrusted' || isAddress(value)) ? UNKNOWN : origin
}

const UNKNOWN: Origin = { type: 'unknown', cells: [] }

function findPlace(value: string, seen: Seen, idOf?: readonly string[]): Origin {
  // A short number that the user said is often a date or an amount, so it does not name a record by itself.
  const isWeak = idOf !== undefined && /^\d{1,4}$/.test(value)
  const said = isSaid(value, seen)
  if (said && !isWeak) return { type: 'user', cells: [] }
  const found = findAll(value, seen)
  const mayProve = ({ source }: FoundCell) => !source.isMade || !isAddress(value)
  const clean = isPoisoned(value, seen) ? [] : [...found.values, ...found.mentions].filter(mayProve)
  const lookups = clean.filter(({ source }) => !source.isUntrusted)
  if (lookups.some(({ source }) => source.lead === 'user')) return { type: 'trusted', cells: [] }
  if (isWeak && found.values.some((cell) => isNamed(cell, idOf, seen))) return { type: 'user', cells: [] }
  const mentions = found.mentions.filter(({ source }) => source.isUntrusted)
  if (mentions.length > 0 || found.isForgotten) return { type: 'untrusted', cells: mentions }
  if (said) return { type: 'user', cells: [] }
  if (lookups.some(({ source }) => source.lead === 'neutral')) return { type: 'trusted', cells: [] }
  const fields = clean.filter((cell) => cell.source.isUntrusted && isField(cell))
  if (fields.length > 0) return { type: 'field', cells: fields }
  return { type: found.values.length > 0 ? 'untrusted' : 'unknown', cells: found.values }
}

/**
 * Whether the record of a cell has a field that the user named as a whole, such as a file name, a title or a subject, and
 * comes from a tool for the same kind of thing: the id of a mail is not the id of a file.
 */
function isNamed(cell: FoundCell, idOf: readonly string[], seen: Seen): boolean {
  const { lead, from } = cell.source
  if (lead === 'untrusted' || cell.form !== 'structure') return false
  const kinds = new Set(toNameWords(from.tool).map(singular))
  if (!idOf.some((word) => kinds.has(singular(word)))) return false
  return seen.results
    .recordOf(cell)
    .some(({ text, isKey }) => !isKey && isNameLength(text) && isSaid(text, seen))
}

const isNameLength = ({ length }: string): boolean => length >= MIN_NAME_CHARS && length <= MAX_NAME_CHARS

const MIN_NAME_CHARS = 6
const MAX_NAME_CHARS = 200

/** Whether a value that stands alone counts as data of the object that the user, and not its writer, chose. */
function isField({ form, source }: FoundCell): boolean {
  return source.lead !== 'untrusted' && (source.isPrivate || form === 'structure')
}

function findAll(value: string, { results, descriptions }: Seen): Found {
  const all = keysOf(value).flatMap((key) => {
    const inTools = descriptions.find(key)
    return [
      results.find(key),
      { values: [], mentions: [...inTools.values, ...inTools.mentions], isForgotten: false },
    ]
  })
  return {
    values: all.flatMap(({ values }) => values),
    mentions: all.flatMap(({ mentions }) => mentions),
    isForgotten: all.some(({ isForgotten }) => isForgotten),
  }
}

/** Whether the thread itself wrote the value somewhere in a call that was not allowed without a question. */
function isPoisoned(value: string, { written }: Seen): boolean {
  return keysOf(value).some((key) => {
    const { values, mentions } = written.find(key)
    return values.length + mentions.length > 0
  })
}

/** Who led to a call with these values: untrusted text if any of them stands only there, else the user if they said one. */
export function findLead(values: readonly string[], seen: Seen): Lead {
  let lead: Lead = 'neutral'
  for (const value of values) {
    if (isSaid(value, seen) || seen.user.share(toWords(value)) >= 0.5) lead = 'user'
    else if (isLed(value, seen)) return 'untrusted'
  }
  return lead
}

/**
 * Whether untrusted text led to a value. Descriptions use common words such as `open` as values, so one word there does
 * not lead.
 */
function isLed(value: string, seen: Seen): boolean {
  if (findOrigin(value, seen).type !== 'untrusted') return false
  const key = toKey(value)
  if (!/^\p{L}+$/u.test(key)) return true
  const { values, mentions, isForgotten } = seen.results.find(key)
  return isForgotten || values.length + mentions.length > 0
}

/** The part of a web address behind its host, and whether the user said the host. */
export function readAddress(value: string, seen: Seen) {
  const address = parseWebAddress(value)
  return address && { ...address, isHostSaid: seen.user.hasAddress(address.host) }
}

/** Whether a text contains the whole of a cell, so that it quotes it rather than picks from it. */
export const quotesCell = (words: string, cell: FoundCell): boolean => hasKey(words, toKey(cell.text))

/** Whether an id belongs to a record that shares a telling word with what the user said. */
export function isAskedFor({ type, cells }: Origin, seen: Seen): boolean {
  if (type === 'user' || type === 'trusted') return true
  return cells.some(
    (cell) =>
      cell.source.lead === 'user' ||
      seen.results.recordOf(cell).some(({ words }) => seen.user.relates(words.split(' ').slice(0, 40))),
  )
}

/** Whether the user pointed at the source of a cell, at its record, or at the tool that reads it. */
export function isDataAskedFor(cell: FoundCell, seen: Seen): boolean {
  if (cell.source.lead !== 'neutral') return cell.source.lead === 'user'
  if (seen.user.share(toNameWords(cell.source.from.tool)) >= 0.5) return true
  // Of the names of fields only its own counts: a profile has an address, and so has the hotel that the user asked about.
  const record = seen.results.recordOf(cell).filter(({ isKey, index }) => !isKey || index === cell.index - 1)
  return record.some(({ words }) => seen.user.relates(words.split(' ').slice(0, 40)))
}
