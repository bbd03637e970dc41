import type { JsonObject } from '../turn/json.ts'
import { decodeText } from './decode-text.ts'
import { findAddresses, isWebAddress } from './addresses.ts'
import { argumentValues } from './argument-values.ts'
import type { FlowTool } from './flow-types.ts'
import type { Doubt } from './doubt.ts'
import { linkCells } from './link-choice.ts'
import type { Seen } from './provenance.ts'
import { findOrigin, isDataAskedFor, isSaid, readAddress } from './provenance.ts'
import { isDeclared } from './sent-values.ts'
import { isPlainWord } from './unexplained.ts'
import { isDataWord, toNameWords, toWords, withGroups } from './words.ts'

/** Judges a call that only reads, but takes its arguments out to somebody else, after private data was read. */
export function judgeRead(tool: FlowTool, args: JsonObject, seen: Seen): Doubt | undefined {
  for (const { name, value } of argumentValues(args)) {
    const doubt =
      isDeclared(name, tool) || startsAsUrl(value)
        ? judgeLeaving(value, tool, seen)
        : judgeOtherApp(value, tool, seen)
    if (doubt) return doubt
  }
  return undefined
}

const startsAsUrl = (value: string): boolean => /^\s*[a-z][a-z0-9+.-]*:\/\//i.test(value)

function judgeLeaving(value: string, tool: FlowTool, seen: Seen): Doubt | undefined {
  if (startsAsUrl(value) || isWebAddress(value)) return judgeAddress(value, seen)
  return isSaid(value, seen) ? undefined : judgeQuery(value, tool, seen)
}

/** What is looked for in an app leaves for that app. Its own data, and data that the user pointed at, may. */
function judgeOtherApp(value: string, { app }: FlowTool, seen: Seen): Doubt | undefined {
  if (app === undefined || isSaid(value, seen)) return undefined
  for (const word of carriedWords(value, seen)) {
    const cells = seen.results.cellsWith(word)
    if (!isDataWord(word) || cells.some(({ source }) => source.from.app === app)) continue
    if (!cells.some((cell) => isDataAskedFor(cell, seen)))
      return { rule: 'private-data-to-another-app', values: [value], cells }
  }
  return undefined
}

/**
 * An address that stands somewhere as it is tells only that it was chosen. One that was put together may carry
 * anything.
 */
function judgeAddress(value: string, seen: Seen): Doubt | undefined {
  const origin = findOrigin(value, seen)
  const { type, cells } = origin
  if (type === 'trusted') return undefined
  // Without a cell, the address may have been in a text that is no longer kept: that proves nothing.
  const doubt = linkCells(value, origin).length > 0 ? undefined : judgePutTogether(value, cells, seen)
  if (doubt || seen.spent.with(value, origin, seen) < MAX_BITS) return doubt
  return { rule: 'unexplained-data-in-address', values: [value], cells }
}

function judgePutTogether(value: string, cells: Doubt['cells'], seen: Seen): Doubt | undefined {
  const address = readAddress(value, seen)
  const inner = findAddresses(address?.rest ?? '').find((nested) => !isSaid(nested, seen))
  if (!address?.isHostSaid || inner) return { rule: 'address-put-together', values: [value], cells }
  return carriedWords(address.rest, seen).length > 0
    ? { rule: 'private-data-in-address', values: [value], cells }
    : undefined
}

const MIN_OWN_CHARS = 5

/**
 * Judges a call that only reads when nothing private was read. What the user said is private, too: an address that was
 * put together, to a host that they did not name, must not carry their numbers and codes, nor a code of the assistant.
 */
export function judgeOwnWords(tool: FlowTool, args: JsonObject, seen: Seen): Doubt | undefined {
  for (const { name, value } of argumentValues(args)) {
    if (!startsAsUrl(value) && !(isDeclared(name, tool) && isWebAddress(value))) continue
    const origin = findOrigin(value, seen)
    const isPutTogether = origin.type !== 'trusted' && linkCells(value, origin).length === 0
    if (!isPutTogether || readAddress(value, seen)?.isHostSaid) continue
    const words = hiddenWords(value).filter((word) => word.length >= MIN_OWN_CHARS && isDataWord(word))
    const isOwnCode = words.some((word) => isUnexplainedCode(word, seen))
    if (isOwnCode || words.some((word) => seen.user.hasWord(word)))
      return { rule: 'own-words-in-address', values: [value], cells: origin.cells }
  }
  return undefined
}

/**
 * What the addresses of one host may tell in a thread beyond the user's words, by a path such as `docs/install` or by
 * the choice of links.
 */
const MAX_BITS = 40
const MIN_CODE_CHARS = 8

/** A free text that leaves with the call, such as the query of a search. */
function judgeQuery(value: string, tool: FlowTool, seen: Seen): Doubt | undefined {
  for (const address of findAddresses(value)) {
    const { type, cells } = findOrigin(address, seen)
    if (type === 'untrusted') return { rule: 'address-from-untrusted-text', values: [value], cells }
  }
  const code = value.split(/\s+/).find((token) => isUnexplainedCode(token, seen))
  if (code) return { rule: 'unexplained-data-in-query', values: [value], cells: [] }
  if (seen.user.share(toNameWords(tool.name)) === 1) return undefined
  const carried = carriedWords(value, seen)
  const sources = new Set(carried.flatMap((word) => seen.results.cellsWith(word).map(({ source }) => source)))
  const isLed = [...sources].some(({ lead }) => lead === 'untrusted')
  const hasData = carried.some((word) => /\p{N}/u.test(word))
  if (carried.length === 0 || (!isLed && !hasData)) return undefined
  const cells = carried.flatMap((word) => seen.results.cellsWith(word))
  return { rule: 'private-data-in-query', values: [value], cells }
}

/** A code that the assistant made: no text contains it, and it is no word. */
const isUnexplainedCode = (token: string, seen: Seen): boolean =>
  token.length >= MIN_CODE_CHARS &&
  toWords(token).some(
    (word) =>
      word.length >= MIN_CODE_CHARS &&
      !isPlainWord(word) &&
      !seen.user.hasWord(word) &&
      seen.results.cellsWith(word).length === 0,
  )

/** The words of a text that stand only in private results. */
const carriedWords = (text: string, seen: Seen): string[] =>
  hiddenWords(text).filter((word) => isPrivateWord(word, seen))

/** The words of a text, also of what it hides in an encoding or in groups. */
function hiddenWords(text: string): string[] {
  const hidden = decodeText(text).flatMap((decoded) => toWords(decoded).filter((word) => word.length > 3))
  return [...withGroups(toWords(text)), ...hidden]
}

/** A word that stands in private results, and neither in the user's words nor in public ones. */
function isPrivateWord(word: string, seen: Seen): boolean {
  if (word.length < 3 || seen.user.hasWord(word)) return false
  const cells = seen.results.cellsWith(word)
  return cells.length > 0 && cells.every(({ source }) => source.isPrivate)
}
