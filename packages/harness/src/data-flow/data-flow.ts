import { destinationValues } from '../turn/grant/to-binding.ts'
import type { JsonObject } from '../turn/json.ts'
import { sanitizeLine } from '../text/untrusted-text.ts'
import { findAddresses, isWebAddress } from './addresses.ts'
import { argumentValues } from './argument-values.ts'
import type { FlowSource, FlowTool, FlowVerdict } from './flow-types.ts'
import { judgeOwnWords, judgeRead } from './judge-read.ts'
import type { Doubt } from './doubt.ts'
import { judgeDescribed, judgeWrite } from './judge-write.ts'
import type { Seen } from './provenance.ts'
import { findLead, findOrigin, isSaid } from './provenance.ts'
import type { Lead } from './source-index.ts'
import { SourceIndex } from './source-index.ts'
import { SpentBits } from './spent-bits.ts'
import { UserWords } from './user-words.ts'
import { singular, toKey, toNameWords, withoutValue } from './words.ts'

export type { FlowSource, FlowTool, FlowVerdict } from './flow-types.ts'

const MAX_SHOWN = 5
const MAX_NAME_CHARS = 120
const MAX_DESCRIPTION_CHARS = 4_000
const MAX_DESCRIPTIONS = 2_000
const MAX_KNOWN = 2_000
const MAX_OWN = 2_000
const MAX_OWN_CHARS = 200

/**
 * What a thread has read, and where values came from. One per thread; sub-agents share it. It decides by the origin of
 * values and never by phrases. Never throws on any text.
 */
export class DataFlow {
  readonly #user = new UserWords()
  readonly #results = new SourceIndex()
  readonly #written = new SourceIndex()
  readonly #descriptions = new SourceIndex()
  readonly #described = new Map<string, string>()
  readonly #known = new Set<string>()
  readonly #own = new Set<string>()
  readonly #readWords = new Set<string>()
  readonly #spent = new SpentBits()
  #hasPrivate = false
  #hasUntrusted = false
  #acknowledgement: string | undefined = ''

  /** A message of the user: the only trusted instruction. */
  userSaid(text: string): void {
    this.#user.add(text)
    this.#know(text)
  }

  #know(text: string): void {
    for (const address of findAddresses(text)) {
      if (this.#known.size < MAX_KNOWN) this.#known.add(address.toLowerCase())
    }
  }

  /** The tools that the model sees. A description is a third party's text; what it names is not trusted. */
  toolsOffered(tools: readonly FlowTool[]): void {
    for (const { name, description = '' } of tools) {
      const text = description.slice(0, MAX_DESCRIPTION_CHARS)
      if (text === '' || this.#described.get(name) === text) continue
      // What is not kept could name anything.
      if (this.#described.size >= MAX_DESCRIPTIONS || text.length < description.length)
        this.#hasUntrusted = true
      if (this.#described.size < MAX_DESCRIPTIONS) this.#describe(name, text)
    }
  }

  #describe(tool: string, text: string): void {
    this.#described.set(tool, text)
    this.#descriptions.add({ isPrivate: false, isUntrusted: true, lead: 'neutral', text, from: { tool } })
    // A description says what a tool does. One that names an address says more, so it counts as a text that was read.
    if (findAddresses(text).length > 0) this.#hasUntrusted = true
  }

  /** Judges a call before it runs, by what came before it. */
  judge(tool: FlowTool, args: JsonObject): FlowVerdict {
    const doubt = this.#doubt(tool, args)
    if (!doubt) return { type: 'allow' }
    const { rule, values, cells } = doubt
    const untrusted = cells.filter(({ source }) => source.isUntrusted)
    const sources = new Map(untrusted.map(({ source: { from } }) => [`${from.tool} ${from.name}`, from]))
    return {
      type: 'ask',
      rule,
      sources: [...sources.values()].slice(0, MAX_SHOWN),
      destinations: values.map((value) => sanitizeLine(value, 2_000)),
    }
  }

  #doubt(tool: FlowTool, given: JsonObject): Doubt | undefined {
    const args = withPaths(tool, given)
    if (!this.#hasUntrusted) return judgeDescribed(tool, args, this.#seen)
    if (tool.effect !== 'read') return judgeWrite(tool, args, this.#seen)
    return (this.#hasPrivate ? judgeRead : judgeOwnWords)(tool, args, this.#seen)
  }

  /** Takes in what a call returned, its error text included. */
  returned(tool: FlowTool, args: JsonObject, text: string, source?: FlowSource): void {
    if (tool.text === 'described') return this.#noteDefinitions(tool.name, text)
    const isUntrusted = tool.returns.includes('untrusted')
    const isPrivate = tool.returns.includes('private')
    const lead = this.#leadOf(tool, args)
    this.#noteOwn(args)
    if (tool.effect === 'read') this.#noteRead(tool, args)
    if (tool.effect !== 'read' && lead === 'untrusted') this.#remember(tool, args)
    if (isPrivate) this.#hasPrivate = true
    if (isUntrusted && text.trim() !== '') this.#hasUntrusted = true
    if (isUntrusted) this.#acknowledgement = withText(this.#acknowledgement, text, tool.name)
    const from = { ...(source ?? { tool: tool.name, ...nameOf(args) }) }
    const isMade = this.#isMade(tool, args)
    const isError = text.startsWith('Error: ')
    // What stands in the result because it stood in the arguments proves nothing. Error texts and confirmations repeat them.
    const repeats = !isUntrusted || tool.effect !== 'read'
    const told = repeats ? withoutEcho(text, args, this.#seen) : text
    const isDoubtful = isUntrusted || isError || isMade
    const isSummary = tool.text === 'summarised'
    this.#results.add({ isPrivate, isUntrusted: isDoubtful, lead, isMade, isSummary, text: told, from })
    if (!isDoubtful && lead !== 'untrusted') this.#know(told)
  }

  /** Definitions are read to write a call, so their words prove and disprove nothing. An address in them is not trusted. */
  #noteDefinitions(tool: string, definitions: string): void {
    const text = findAddresses(definitions).join('\n')
    if (text === '') return
    this.#descriptions.add({ isPrivate: false, isUntrusted: true, lead: 'neutral', text, from: { tool } })
  }

  /** A part of an earlier result is as good as that result, which names the id to read on with. */
  #isMade({ text }: FlowTool, args: JsonObject): boolean {
    if (text !== 'repeated') return text === 'made' || text === 'summarised'
    return !argumentValues(args).some(({ value }) => {
      const { values, mentions } = this.#results.find(toKey(value))
      const cells = [...values, ...mentions]
      return cells.length > 0 && cells.every(({ source }) => !source.isMade || source.isSummary)
    })
  }

  #noteRead({ name, destinations }: FlowTool, args: JsonObject): void {
    if (this.#hasPrivate && this.#hasUntrusted) {
      for (const { name: argument, value } of argumentValues(args)) {
        if (destinations.includes(argument) && isWebAddress(value))
          this.#spent.add(value, findOrigin(value, this.#seen), this.#seen)
      }
    }
    for (const word of toNameWords(name))
      if (this.#readWords.size < MAX_KNOWN) this.#readWords.add(singular(word))
  }

  /** Notes values that stand nowhere yet: the assistant made them. */
  #noteOwn(args: JsonObject): void {
    for (const value of echoesOf(args)) {
      if (this.#own.size >= MAX_OWN || value.length > MAX_OWN_CHARS) continue
      if (findOrigin(value, this.#seen).type === 'unknown') this.#own.add(toKey(value))
    }
  }

  /** A call that changes something was led by untrusted text when the rule would ask about it. */
  #leadOf(tool: FlowTool, args: JsonObject): Lead {
    if (tool.effect !== 'read') return this.#doubt(tool, args) ? 'untrusted' : 'neutral'
    return findLead(
      argumentValues(args).map(({ value }) => value),
      this.#seen,
    )
  }

  /** What was written by such a call is not trusted when it is read again: in an address book, in a memory. */
  #remember(tool: FlowTool, args: JsonObject): void {
    const text = argumentValues(args)
      .map(({ value }) => value)
      .join('\n')
    this.#written.add({
      isPrivate: false,
      isUntrusted: true,
      lead: 'untrusted',
      text,
      from: { tool: tool.name },
    })
  }

  get #seen(): Seen {
    return {
      user: this.#user,
      results: this.#results,
      descriptions: this.#descriptions,
      written: this.#written,
      own: this.#own,
      known: this.#known,
      readWords: this.#readWords,
      spent: this.#spent,
      acknowledgement: this.#acknowledgement,
    }
  }
}

const MAX_ACKNOWLEDGEMENT_CHARS = 20

/**
 * The one word that all untrusted texts share, such as `done`, with one more text. `undefined`: they say more. Numbers say
 * nothing, and a tool that says its own name (`saved`) only repeats what it did.
 */
function withText(before: string | undefined, text: string, tool: string): string | undefined {
  const told = text.trim()
  if (told === '' || before === undefined) return before
  const words = toNameWords(told).filter((word) => /\p{L}/u.test(word))
  if (told.length > MAX_ACKNOWLEDGEMENT_CHARS || words.length > 1) return undefined
  const [word] = words
  const isOwnName = toNameWords(tool).some((own) => own.length > 2 && word?.startsWith(singular(own)))
  if (word === undefined || isOwnName) return before
  return before === '' || before === word ? word : undefined
}

/** What a call read, for the card: its first text argument. */
function nameOf(args: JsonObject): { readonly name?: string } {
  const first = Object.values(args).find((value) => typeof value === 'string')
  const name = sanitizeLine(first, MAX_NAME_CHARS)
  return name === '' ? {} : { name }
}

/**
 * The arguments, with a destination that is named by a path (`message.to`) as one of its own: it is judged like any
 * other.
 */
function withPaths({ destinations }: FlowTool, args: JsonObject): JsonObject {
  const paths = destinations.filter((name) => name.includes('.') && !Object.hasOwn(args, name))
  return paths.length === 0 ? args : { ...args, ...(destinationValues(paths, args) as JsonObject) }
}

const MIN_ECHO_CHARS = 4
const MAX_ECHOES = 50

/** The values of a call, and the addresses inside of them: what its result may repeat. */
const echoesOf = (args: JsonObject): string[] => [
  ...new Set(argumentValues(args).flatMap(({ value }) => [value, ...findAddresses(value)])),
]

/** A text without the values of the call's own arguments that the user did not say. */
function withoutEcho(text: string, args: JsonObject, seen: Seen): string {
  const own = echoesOf(args).filter((value) => value.length >= MIN_ECHO_CHARS && !isSaid(value, seen))
  return own.slice(0, MAX_ECHOES).reduce(withoutValue, text)
}
