/** A part of a pattern. `one` is a single character, given as the source of a pattern for it or as its code. */
export type PatternNode =
  | { readonly type: 'one'; readonly source: string }
  | { readonly type: 'literal'; readonly code: number }
  | { readonly type: 'sequence' | 'choice'; readonly nodes: readonly PatternNode[] }
  | { readonly type: 'repeat'; readonly node: PatternNode; readonly min: number; readonly max: number }
  | { readonly type: 'assert'; readonly kind: 'start' | 'end' | 'boundary' | 'inside' }
  | { readonly type: 'ahead'; readonly node: PatternNode; readonly isNegated: boolean }

/** Thrown for a pattern that is invalid, too long, or needs more than linear time. */
export class UnusablePattern extends Error {
  override readonly name = 'UnusablePattern'
}

/** A parsed pattern. `flags` are those its parts must be compiled with. */
export interface ParsedPattern {
  readonly node: PatternNode
  readonly flags: 'u' | ''
}

const MAX_PATTERN_CHARS = 2_000
const MAX_GROUP_DEPTH = 50

/**
 * Parses a regular expression of JavaScript. Back-references and look-behind are refused: no matcher handles them in
 * linear time. Throws `UnusablePattern`.
 */
export function parsePattern(pattern: string): ParsedPattern {
  if (pattern.length > MAX_PATTERN_CHARS)
    throw new UnusablePattern(`a pattern has more than ${MAX_PATTERN_CHARS} characters`)
  const flags = isValid(pattern, 'u') ? 'u' : ''
  if (flags === '' && !isValid(pattern, '')) throw new UnusablePattern('a pattern is not valid')
  return { node: new Reader(pattern, flags === 'u').read(), flags }
}

/** This only parses it: a pattern is compiled when it is first used. */
function isValid(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}

const QUANTIFIER = /[*+?]|\{(\d{1,9})(?:(,)(\d{0,9}))?\}/y
const NAMED_GROUP = /\?<[^=!>][^>]*>/y
const CODE_UNIT = /u[\dA-Fa-f]{4}/y
const SURROGATE_PAIR = /u[Dd][89ABab][\dA-Fa-f]{2}\\u[Dd][C-Fc-f][\dA-Fa-f]{2}/y
const CODE_POINT = /u\{[\dA-Fa-f]+\}/y
const PROPERTY = /[pP]\{[^}]*\}/y
const OTHER_CODE = /x[\dA-Fa-f]{2}|c[A-Za-z]/y

/** Reads a pattern whose syntax is known to be valid. */
class Reader {
  readonly #text: string
  readonly #isUnicode: boolean
  #at = 0
  #depth = 0

  constructor(text: string, isUnicode: boolean) {
    this.#text = text
    this.#isUnicode = isUnicode
  }

  read(): PatternNode {
    const node = this.#readChoice()
    if (this.#at < this.#text.length) throw new UnusablePattern('a pattern is not valid')
    return node
  }

  #readChoice(): PatternNode {
    const nodes = [this.#readSequence()]
    while (this.#take('|')) nodes.push(this.#readSequence())
    return nodes.length === 1 ? nodes[0]! : { type: 'choice', nodes }
  }

  #readSequence(): PatternNode {
    const nodes: PatternNode[] = []
    while (this.#at < this.#text.length && !'|)'.includes(this.#text[this.#at]!)) {
      nodes.push(this.#readRepeat(this.#readPart()))
    }
    return { type: 'sequence', nodes }
  }

  #readRepeat(node: PatternNode): PatternNode {
    const [sign, min, comma, max] = this.#match(QUANTIFIER) ?? []
    if (sign === undefined) return node
    this.#take('?') // the shortest match or the longest: whether there is one is the same
    if (min !== undefined) {
      const least = Number(min)
      return { type: 'repeat', node, min: least, max: comma ? (max ? Number(max) : Infinity) : least }
    }
    return { type: 'repeat', node, min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity }
  }

  #readPart(): PatternNode {
    if (this.#take('^')) return { type: 'assert', kind: 'start' }
    if (this.#take('$')) return { type: 'assert', kind: 'end' }
    if (this.#take('(')) return this.#readGroup()
    if (this.#take('\\')) return this.#readEscape()
    if (this.#take('.')) return { type: 'one', source: '.' }
    if (this.#text[this.#at] === '[') return this.#readClass()
    return { type: 'literal', code: this.#takeCharacter() }
  }

  #readGroup(): PatternNode {
    if (++this.#depth > MAX_GROUP_DEPTH)
      throw new UnusablePattern('the groups of a pattern are nested too deeply')
    const isAhead = this.#take('?=')
    const isNegated = !isAhead && this.#take('?!')
    const isPlain = isAhead || isNegated || this.#take('?:') || this.#match(NAMED_GROUP) !== undefined
    if (!isPlain && this.#text[this.#at] === '?')
      throw new UnusablePattern(
        'a pattern looks behind or changes its flags, which cannot be checked in time',
      )
    const node = this.#readChoice()
    if (!this.#take(')')) throw new UnusablePattern('a pattern is not valid')
    this.#depth--
    return isAhead || isNegated ? { type: 'ahead', node, isNegated } : node
  }

  #readEscape(): PatternNode {
    const next = this.#text[this.#at] ?? ''
    if (this.#take('b')) return { type: 'assert', kind: 'boundary' }
    if (this.#take('B')) return { type: 'assert', kind: 'inside' }
    if (/[1-9k]/.test(next))
      throw new UnusablePattern('a pattern refers back to a group, which cannot be checked in time')
    const forms = this.#isUnicode ? [SURROGATE_PAIR, CODE_POINT, PROPERTY] : []
    for (const form of [...forms, CODE_UNIT, OTHER_CODE]) {
      const found = this.#match(form)
      if (found) return { type: 'one', source: `\\${found[0]}` }
    }
    // A letter may stand for a class of characters; anything else stands for itself.
    const start = this.#at
    const code = this.#takeCharacter()
    return /\w/.test(next)
      ? { type: 'one', source: `\\${this.#text.slice(start, this.#at)}` }
      : { type: 'literal', code }
  }

  #readClass(): PatternNode {
    const start = this.#at++
    this.#take('^')
    while (this.#at < this.#text.length && this.#text[this.#at] !== ']') {
      this.#at += this.#text[this.#at] === '\\' ? 2 : 1
    }
    if (!this.#take(']')) throw new UnusablePattern('a pattern is not valid')
    return { type: 'one', source: this.#text.slice(start, this.#at) }
  }

  #take(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false
    this.#at += expected.length
    return true
  }

  #takeCharacter(): number {
    const code = this.#isUnicode ? this.#text.codePointAt(this.#at) : this.#text.charCodeAt(this.#at)
    if (code === undefined || Number.isNaN(code)) throw new UnusablePattern('a pattern is not valid')
    this.#at += code > 0xff_ff ? 2 : 1
    return code
  }

  #match(form: RegExp): RegExpExecArray | undefined {
    form.lastIndex = this.#at
    const found = form.exec(this.#text) ?? undefined
    if (found) this.#at += found[0].length
    return found
  }
}
