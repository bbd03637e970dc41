import type { JsonObject } from '../turn/json.ts'
import { isWholeAddress } from '../turn/tool/address-shape.ts'
import { findAddresses } from './addresses.ts'
import { argumentValues } from './argument-values.ts'
import type { FlowTool } from './flow-types.ts'
import { looksLike } from './look-alike.ts'
import type { Origin, Seen } from './provenance.ts'
import { findOrigin, isSaid, quotesCell } from './provenance.ts'
import type { FoundCell } from './source-index.ts'
import { isDataWord, toKey, toWords } from './words.ts'

/** Why a call is not allowed without a question. */
export interface Doubt {
  readonly rule: string
  readonly values: readonly string[]
  readonly cells: readonly FoundCell[]
}

/** Judges a call that changes or sends something, after untrusted text was read. */
export function judgeWrite(tool: FlowTool, args: JsonObject, seen: Seen): Doubt | undefined {
  const values = argumentValues(args)
  const isSent = ({ name, value }: Argument) => tool.destinations.includes(name) || isWholeAddress(value)
  const sent = values.filter(isSent)
  const others = values.filter((argument) => !isSent(argument))
  const hasAddress = sent.some(({ name }) => !ID_NAME.test(name))
  for (const { name, value } of sent) {
    const doubt = ID_NAME.test(name) ? judgeId(value, tool, hasAddress, seen) : judgeDestination(value, seen)
    if (doubt) return doubt
  }
  const destinations = sent.map(({ value }) => value)
  return (
    judgeTargets(tool, others, destinations, seen) ??
    judgeContent(others.map(({ value }) => value).join('\n'), destinations, seen) ??
    judgeSupport(tool, destinations, others, seen)
  )
}

/** Judges a call before any untrusted text was read but the descriptions of other tools, which may name a destination. */
export function judgeDescribed(tool: FlowTool, args: JsonObject, seen: Seen): Doubt | undefined {
  if (tool.effect === 'read') return undefined
  for (const { name, value } of argumentValues(args)) {
    if (!tool.destinations.includes(name) || isSaid(value, seen)) continue
    const { values, mentions } = seen.descriptions.find(toKey(value))
    const cells = [...values, ...mentions].filter(({ source }) => source.from.tool !== tool.name)
    if (cells.length > 0) return { rule: 'destination-from-tool-description', values: [value], cells }
  }
  return undefined
}

function judgeDestination(value: string, seen: Seen): Doubt | undefined {
  const origin = findOrigin(value, seen)
  switch (origin.type) {
    case 'user':
    case 'trusted':
      return undefined
    case 'field':
      return judgeLookAlike(value, origin, seen)
    case 'untrusted':
      return { rule: 'destination-from-untrusted-text', values: [value], cells: origin.cells }
    case 'unknown':
      // An address may be put together from words that the user said in another sense.
      if (!isWholeAddress(value) && seen.user.share(toWords(value)) >= 0.5) return undefined
      return { rule: 'destination-of-unknown-origin', values: [value], cells: [] }
  }
}

/** An address out of untrusted data that reads like one that is known. */
function judgeLookAlike(value: string, { cells }: Origin, { known }: Seen): Doubt | undefined {
  if (!/[@.]/.test(value) || known.has(value.toLowerCase())) return undefined
  const isLookAlike = [...known].some((address) => looksLike(value, address))
  return isLookAlike ? { rule: 'look-alike-destination', values: [value], cells } : undefined
}

/**
 * A destination, or a thing that was looked up, that the user did not say: then something else in the call, or the name
 * of the tool, must come from them.
 */
function judgeSupport(
  tool: FlowTool,
  destinations: readonly string[],
  others: readonly Argument[],
  seen: Seen,
): Doubt | undefined {
  if (destinations.some((value) => isSaid(value, seen))) return undefined
  if (destinations.length === 0 && !others.some((argument) => isLookedUp(argument, seen))) return undefined
  if (others.some(({ value }) => isSaid(value, seen) || seen.user.share(toWords(value)) >= 0.5))
    return undefined
  if (others.some(({ value }) => isQuoted(value, seen))) return undefined
  if (seen.user.share(toWords(tool.name)) === 1) return undefined
  return { rule: 'nothing-from-the-user', values: destinations, cells: [] }
}

/** Whether an argument is the name of a thing that stands as a field in a result. Ids are judged by their records. */
function isLookedUp({ name, value }: Argument, seen: Seen): boolean {
  if (ID_NAME.test(name) || DATE_OR_TIME.test(value) || !/\p{L}{3}/u.test(value)) return false
  return seen.results.find(toKey(value)).values.length > 0
}

/** Whether a text contains a whole line or field of private data that the user pointed at. */
function isQuoted(text: string, seen: Seen): boolean {
  return text.split('\n', MAX_QUOTED_LINES).some((line) => {
    if (toWords(line).length < 2 || DATE_OR_TIME.test(line)) return false
    return seen.results
      .find(toKey(line))
      .values.some(({ source }) => source.isPrivate && source.lead === 'user')
  })
}

const MAX_QUOTED_LINES = 50
const ID_NAME = /(?:^|_|-)ids?_?$|I[dD]s?$/
const DATE_OR_TIME = /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:[T ].*)?$/
const MAX_TARGET_WORDS = 40
const MIN_TELLING_CHARS = 4

type Argument = ReturnType<typeof argumentValues>[number]

/** What a call acts on. Without a destination, an id must belong to something that the user asked about. */
function judgeTargets(
  tool: FlowTool,
  others: readonly Argument[],
  destinations: readonly string[],
  seen: Seen,
): Doubt | undefined {
  const ids = others.filter(({ name }) => ID_NAME.test(name))
  for (const { value } of ids) {
    const doubt = judgeId(value, tool, destinations.length > 0, seen)
    if (doubt) return doubt
  }
  if (
    others
      .concat(destinations.map((value) => ({ name: '', value })))
      .some(({ value }) => isTelling(value, seen))
  )
    return undefined
  for (const { value } of others) {
    if (DATE_OR_TIME.test(value) || /^-?[\d.]+$/.test(value) || toWords(value).length > MAX_TARGET_WORDS)
      continue
    const { type, cells } = findOrigin(value, seen)
    if (type === 'untrusted' && destinations.length === 0)
      return { rule: 'target-from-untrusted-text', values: [value], cells }
  }
  return undefined
}

function judgeId(value: string, tool: FlowTool, hasDestination: boolean, seen: Seen): Doubt | undefined {
  const origin = findOrigin(value, seen, toWords(tool.name))
  if (origin.type === 'untrusted')
    return { rule: 'target-from-untrusted-text', values: [value], cells: origin.cells }
  if (hasDestination || isAskedFor(origin, seen)) return undefined
  return { rule: 'target-not-asked-for', values: [value], cells: origin.cells }
}

const isTelling = (value: string, seen: Seen): boolean =>
  value.length >= MIN_TELLING_CHARS && !DATE_OR_TIME.test(value) && isSaid(value, seen)

/** Whether an id belongs to a record that shares a telling word with what the user said. */
function isAskedFor({ type, cells }: Origin, seen: Seen): boolean {
  if (type === 'user' || type === 'trusted') return true
  return cells.some(
    (cell) =>
      cell.source.lead === 'user' ||
      seen.results.recordOf(cell).some(({ words }) => seen.user.relates(words.split(' ').slice(0, 40))),
  )
}

/** What a call says: addresses out of untrusted text, and data that untrusted text led to. */
function judgeContent(content: string, destinations: readonly string[], seen: Seen): Doubt | undefined {
  const words = toWords(content).join(' ')
  for (const address of findAddresses(content)) {
    if (isSaid(address, seen) || destinations.some((value) => toKey(value) === toKey(address))) continue
    const { type, cells } = findOrigin(address, seen)
    if (type !== 'untrusted' || cells.some((cell) => quotesCell(words, cell))) continue
    return { rule: 'address-from-untrusted-text', values: [address], cells }
  }
  return judgeData(words, seen)
}

/** Numbers and codes out of private texts that the user did not ask about, or that only untrusted text asked for. */
function judgeData(words: string, seen: Seen): Doubt | undefined {
  for (const word of new Set(words.split(' '))) {
    if (!isDataWord(word) || seen.user.hasWord(word)) continue
    const cells = seen.results.cellsWith(word)
    if (cells.length === 0 || !cells.every(({ source }) => source.isPrivate)) continue
    if (cells.every((cell) => cell.source.lead === 'untrusted'))
      return { rule: 'data-that-untrusted-text-asked-for', values: [word], cells }
    if (!cells.some((cell) => isDataAskedFor(cell, seen)))
      return { rule: 'private-data-not-asked-for', values: [word], cells }
  }
  return undefined
}

/** Whether the user pointed at the source of a cell, at its record, or at the tool that reads it. */
function isDataAskedFor(cell: FoundCell, seen: Seen): boolean {
  if (cell.source.lead !== 'neutral') return cell.source.lead === 'user'
  if (seen.user.share(toWords(cell.source.from.tool)) >= 0.5) return true
  return seen.results.recordOf(cell).some(({ words }) => seen.user.relates(words.split(' ').slice(0, 40)))
}
