import type { JsonObject } from '../turn/json.ts'
import { findAddresses } from './addresses.ts'
import { argumentValues } from './argument-values.ts'
import type { FlowTool } from './flow-types.ts'
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
  const destinations = values.filter(({ name }) => tool.destinations.includes(name)).map(({ value }) => value)
  const others = values.filter(({ name }) => !tool.destinations.includes(name))
  for (const value of destinations) {
    const doubt = judgeDestination(value, seen)
    if (doubt) return doubt
  }
  const targets = judgeTargets(others, destinations.length > 0, seen)
  if (targets) return targets
  return judgeContent(others.map(({ value }) => value).join('\n'), destinations, seen)
}

function judgeDestination(value: string, seen: Seen): Doubt | undefined {
  const origin = findOrigin(value, seen)
  switch (origin.type) {
    case 'user':
    case 'trusted':
    case 'field':
      return undefined
    case 'untrusted':
      return { rule: 'destination-from-untrusted-text', values: [value], cells: origin.cells }
    case 'unknown':
      if (seen.user.share(toWords(value)) >= 0.5) return undefined
      return { rule: 'destination-of-unknown-origin', values: [value], cells: [] }
  }
}

const ID_NAME = /(?:^|_|-)ids?_?$|I[dD]s?$/
const DATE_OR_TIME = /^\d{1,4}[-/.:]\d{1,2}(?:[-/.:]\d{1,4})?(?:[T ].*)?$/
const MAX_TARGET_WORDS = 40

type Argument = ReturnType<typeof argumentValues>[number]

/** What a call acts on. Without a destination, an id must belong to something that the user asked about. */
function judgeTargets(others: readonly Argument[], hasDestination: boolean, seen: Seen): Doubt | undefined {
  for (const { name, value } of others) {
    const isId = ID_NAME.test(name)
    const words = toWords(value)
    if (hasDestination && !isId) continue
    if (!isId && (DATE_OR_TIME.test(value) || /^-?[\d.]+$/.test(value) || words.length > MAX_TARGET_WORDS))
      continue
    const origin = findOrigin(value, seen)
    if (origin.type === 'untrusted')
      return { rule: 'target-from-untrusted-text', values: [value], cells: origin.cells }
    if (isId && !hasDestination && !isAskedFor(origin, seen))
      return { rule: 'target-not-asked-for', values: [value], cells: origin.cells }
  }
  return undefined
}

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
  return judgeLedData(words, seen)
}

/** Data out of private texts that were read only because an untrusted text said so. */
function judgeLedData(words: string, seen: Seen): Doubt | undefined {
  for (const word of new Set(words.split(' '))) {
    if (!isDataWord(word) || seen.user.hasWord(word)) continue
    const cells = seen.results.cellsWith(word)
    if (cells.length === 0) continue
    if (cells.every(({ source }) => source.isPrivate && source.lead === 'untrusted'))
      return { rule: 'data-that-untrusted-text-asked-for', values: [word], cells }
  }
  return undefined
}
