import { cutText } from '../../text/cut-text.ts'
import { endOfString } from './minify-json.ts'

/** How far lists and strings are cut. */
export interface JsonLimits {
  /** How many elements of a long list stay at its beginning and at its end. */
  readonly head: number
  readonly tail: number
  /** The share of elements that must look alike before a list is cut. */
  readonly alike: number
  readonly maxString: number
}

// Deeper values are copied as they are, so that no nesting can exhaust the stack.
const MAX_DEPTH = 64
const MIN_LIST_CHARS = 1_024
const NAMED_KEYS = 12
// Worth keeping wherever it stands: an element that reports a failure.
const REPORTS_ERROR = /"(?:errors?|failures?|exception)":(?!null|false|""|\[\]|\{\}|0[,}])/i

interface Piece {
  readonly text: string
  /** Equal for values that look alike: the keys of an object, the kind of anything else. */
  readonly shape: string
}

/**
 * Cuts the middle out of long lists of similar things, and the end off long strings; the result is JSON again, with
 * a string in each gap that says what is missing. The input must be minified and valid.
 */
export function shrinkJson(minified: string, limits: JsonLimits): string {
  return new JsonShrinker(minified, limits).value(0).text
}

class JsonShrinker {
  readonly #json: string
  readonly #limits: JsonLimits
  #at = 0

  constructor(json: string, limits: JsonLimits) {
    this.#json = json
    this.#limits = limits
  }

  value(depth: number): Piece {
    const first = this.#json.charAt(this.#at)
    if (first === '"') return this.#string()
    if (first !== '{' && first !== '[') return this.#scalar()
    if (depth >= MAX_DEPTH) return this.#copy(first)
    return first === '{' ? this.#object(depth) : this.#array(depth)
  }

  #object(depth: number): Piece {
    const keys: string[] = []
    const values: Piece[] = []
    this.#at++
    while (this.#json[this.#at] !== '}') {
      if (this.#json[this.#at] === ',') this.#at++
      const end = endOfString(this.#json, this.#at)
      keys.push(this.#json.slice(this.#at, end))
      this.#at = end + 1
      values.push(this.value(depth + 1))
    }
    this.#at++
    const members = values.map(({ text, shape }, index) => ({ text: `${keys[index]}:${text}`, shape }))
    // A table by name is a list too; a record of many plain fields is not.
    const isTable = values.every(({ shape }) => shape.startsWith('{'))
    const kept = isTable ? this.#cut(members, (note, index) => `"… ${index}":${note}`) : undefined
    return { text: `{${(kept ?? members.map(({ text }) => text)).join(',')}}`, shape: `{${keys.join(',')}` }
  }

  #array(depth: number): Piece {
    const elements: Piece[] = []
    this.#at++
    while (this.#json[this.#at] !== ']') {
      if (this.#json[this.#at] === ',') this.#at++
      elements.push(this.value(depth + 1))
    }
    this.#at++
    const kept = this.#cut(elements, (note) => note) ?? elements.map(({ text }) => text)
    return { text: `[${kept.join(',')}]`, shape: '[' }
  }

  /** The pieces that stay, with a note in each gap, or undefined when the list is not one to cut. */
  #cut(
    pieces: readonly Piece[],
    writeNote: (note: string, index: number) => string,
  ): readonly string[] | undefined {
    const { head, tail, alike } = this.#limits
    if (pieces.length <= head + 2 * tail + 1) return undefined
    if (pieces.reduce((sum, { text }) => sum + text.length, 0) < MIN_LIST_CHARS) return undefined
    const common = commonShape(pieces)
    if (common.count < alike * pieces.length) return undefined
    const kept: string[] = []
    let odd = 0
    let missing = 0
    let notes = 0
    const closeGap = (index: number) => {
      if (missing === 0) return
      const of = notes === 0 ? ` of ${pieces.length}${namesOf(common.shape)}` : ''
      kept.push(writeNote(JSON.stringify(`[… ${missing} left out${of}]`), index))
      notes++
      missing = 0
    }
    for (const [index, { text, shape }] of pieces.entries()) {
      const isEdge = index < head || index >= pieces.length - tail
      const isOdd = !isEdge && odd < tail && (shape !== common.shape || REPORTS_ERROR.test(text))
      if (isOdd) odd++
      if (isEdge || isOdd) {
        closeGap(index)
        kept.push(text)
      } else missing++
    }
    return kept
  }

  #string(): Piece {
    const end = endOfString(this.#json, this.#at)
    const text = this.#json.slice(this.#at, end)
    this.#at = end
    return { text: clipString(text, this.#limits.maxString), shape: '"' }
  }

  #scalar(): Piece {
    const from = this.#at
    while (this.#at < this.#json.length && !',]}'.includes(this.#json.charAt(this.#at))) this.#at++
    return { text: this.#json.slice(from, this.#at), shape: '0' }
  }

  #copy(shape: string): Piece {
    const from = this.#at
    let open = 0
    do {
      const char = this.#json.charAt(this.#at)
      if (char === '"') this.#at = endOfString(this.#json, this.#at)
      else {
        if (char === '{' || char === '[') open++
        if (char === '}' || char === ']') open--
        this.#at++
      }
    } while (open > 0)
    return { text: this.#json.slice(from, this.#at), shape }
  }
}

function commonShape(pieces: readonly Piece[]): { readonly shape: string; readonly count: number } {
  const counts = new Map<string, number>()
  let common = { shape: '', count: 0 }
  for (const { shape } of pieces) {
    const count = (counts.get(shape) ?? 0) + 1
    counts.set(shape, count)
    if (count > common.count) common = { shape, count }
  }
  return common
}

function namesOf(shape: string): string {
  if (!shape.startsWith('{"')) return ''
  const keys = (JSON.parse(`[${shape.slice(1)}]`) as readonly string[]).map((key) => cutText(key, 40))
  const more = keys.length > NAMED_KEYS ? ', …' : ''
  return `; keys: ${keys.slice(0, NAMED_KEYS).join(', ')}${more}`
}

function clipString(written: string, maxChars: number): string {
  // The note has a length too.
  if (written.length <= maxChars + 40) return written
  const value = JSON.parse(written) as string
  const shown = cutText(value, maxChars)
  if (shown.length === value.length) return written
  return JSON.stringify(`${shown}[… ${value.length - shown.length} more characters]`)
}
