import type { JsonObject } from '../turn/json.ts'
import { findAddresses } from './addresses.ts'
import type { ArgumentValue } from './argument-values.ts'
import { argumentValues, isDateOrTime, isIdName } from './argument-values.ts'
import type { Doubt } from './doubt.ts'
import type { FlowTool } from './flow-types.ts'
import { actShare, judgeSupport } from './judge-support.ts'
import { looksLike } from './look-alike.ts'
import type { Origin, Seen } from './provenance.ts'
import { findOrigin, isAskedFor, isDataAskedFor, isSaid, quotesCell } from './provenance.ts'
import { hasAddressSign, splitValues } from './sent-values.ts'
import { isDataWord, toKey, toNameWords, toWords, withGroups } from './words.ts'

/** Judges a call that changes or sends something, after untrusted text was read. */
export function judgeWrite(tool: FlowTool, args: JsonObject, seen: Seen): Doubt | undefined {
  const { sent, others } = splitValues(tool, argumentValues(args))
  const hasAddress = sent.some(({ name }) => !isIdName(name))
  for (const { name, value } of sent) {
    const doubt = isIdName(name) ? judgeId(value, tool, hasAddress, seen) : judgeDestination(value, seen)
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
  for (const { value } of splitValues(tool, argumentValues(args)).sent) {
    if (isSaid(value, seen)) continue
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
      if (!hasAddressSign(value) && !hasOwnNumber(value, seen) && seen.user.share(toWords(value)) >= 0.5)
        return undefined
      return { rule: 'destination-of-unknown-origin', values: [value], cells: [] }
  }
}

const MIN_NUMBER_CHARS = 5

/** Whether a text has a long number that the user did not say, such as a telephone number behind a name. */
const hasOwnNumber = (value: string, { user }: Seen): boolean =>
  withGroups(toWords(value)).some(
    (word) => word.length >= MIN_NUMBER_CHARS && isDataWord(word) && !user.has(word),
  )

/** An address out of untrusted data that reads like one that is known. */
function judgeLookAlike(value: string, { cells }: Origin, { known }: Seen): Doubt | undefined {
  if (!/[@.]/.test(value) || known.has(value.toLowerCase())) return undefined
  const isLookAlike = [...known].some((address) => looksLike(value, address))
  return isLookAlike ? { rule: 'look-alike-destination', values: [value], cells } : undefined
}

const MAX_TARGET_WORDS = 40
/** A longer text is content, if the user named the act. */
const MAX_NAME_WORDS = 8
const MIN_TELLING_CHARS = 4

/** What a call acts on. Without a destination, an id must belong to something that the user asked about. */
function judgeTargets(
  tool: FlowTool,
  others: readonly ArgumentValue[],
  destinations: readonly string[],
  seen: Seen,
): Doubt | undefined {
  const isTold = others.some(({ value }) => isTelling(value, seen))
  for (const { name, value } of others) {
    if (!isIdName(name)) continue
    const doubt = judgeId(value, tool, isTold || destinations.length > 0, seen)
    if (doubt) return doubt
  }
  if (isTold || destinations.some((value) => isTelling(value, seen))) return undefined
  const maxWords = actShare(tool, others, seen) >= 0.5 ? MAX_NAME_WORDS : MAX_TARGET_WORDS
  for (const { value } of others) {
    if (isDateOrTime(value) || /^-?[\d.]+$/.test(value) || toWords(value).length > maxWords) continue
    const { type, cells } = findOrigin(value, seen)
    if (type === 'untrusted' && destinations.length === 0)
      return { rule: 'target-from-untrusted-text', values: [value], cells }
  }
  return undefined
}

function judgeId(value: string, tool: FlowTool, hasDestination: boolean, seen: Seen): Doubt | undefined {
  const origin = findOrigin(value, seen, toNameWords(tool.name))
  if (origin.type === 'untrusted')
    return { rule: 'target-from-untrusted-text', values: [value], cells: origin.cells }
  if (hasDestination || isAskedFor(origin, seen)) return undefined
  return { rule: 'target-not-asked-for', values: [value], cells: origin.cells }
}

const isTelling = (value: string, seen: Seen): boolean =>
  value.length >= MIN_TELLING_CHARS && !isDateOrTime(value) && isSaid(value, seen)

/** What a call says: addresses out of untrusted text, and data that untrusted text led to. */
function judgeContent(content: string, destinations: readonly string[], seen: Seen): Doubt | undefined {
  const words = toWords(content).join(' ')
  for (const address of findAddresses(content)) {
    if (isSaid(address, seen) || destinations.some((value) => toKey(value) === toKey(address))) continue
    const { type, cells } = findOrigin(address, seen)
    if (type !== 'untrusted' || cells.some((cell) => quotesCell(words, cell))) continue
    return { rule: 'address-from-untrusted-text', values: [address], cells }
  }
  return judgeData(withGroups(words.split(' ')), seen)
}

/** Numbers and codes out of private texts that the user did not ask about, or that only untrusted text asked for. */
function judgeData(words: readonly string[], seen: Seen): Doubt | undefined {
  for (const word of new Set(words)) {
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
