import type { JsonValue } from '../turn/json.ts'

const MAX_DEPTH = 64

/**
 * Reads a list or an object that a tool printed: JSON, or the same with single quotes and `True`, `False`, `None`.
 * `undefined` when the text is anything else. Linear; never throws.
 */
export function parseLiteral(text: string): JsonValue | undefined {
  const trimmed = text.trim()
  if (!/^[[{]/.test(trimmed)) return undefined
  try {
    return JSON.parse(trimmed) as JsonValue
  } catch {
    return new LiteralReader(trimmed).read()
  }
}

class NotALiteral extends Error {}

class LiteralReader {
  #at = 0
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  read(): JsonValue | undefined {
    try {
      const value = this.#value(0)
      this.#skip()
      return this.#at === this.#text.length ? value : undefined
    } catch (error) {
      if (error instanceof NotALiteral) return undefined
      throw error
    }
  }

  #value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw new NotALiteral()
    this.#skip()
    const first = this.#text[this.#at]
    if (first === '{') return this.#object(depth)
    if (first === '[' || first === '(') return this.#list(depth, first === '[' ? ']' : ')')
    if (first === "'" || first === '"') return this.#string(first)
    return this.#bare()
  }

  #object(depth: number): JsonValue {
    this.#at++
    const object: Record<string, JsonValue> = Object.create(null) as Record<string, JsonValue>
    for (;;) {
      this.#skip()
      if (this.#takes('}')) return object
      const key = this.#value(depth + 1)
      this.#skip()
      if (!this.#takes(':')) throw new NotALiteral()
      object[typeof key === 'string' ? key : JSON.stringify(key)] = this.#value(depth + 1)
      this.#skip()
      if (!this.#takes(',') && this.#text[this.#at] !== '}') throw new NotALiteral()
    }
  }

  #list(depth: number, end: string): JsonValue {
    this.#at++
    const list: JsonValue[] = []
    for (;;) {
      this.#skip()
      if (this.#takes(end)) return list
      list.push(this.#value(depth + 1))
      this.#skip()
      if (!this.#takes(',') && this.#text[this.#at] !== end) throw new NotALiteral()
    }
  }

  #string(quote: string): string {
    const start = ++this.#at
    let isEscaped = false
    for (; this.#at < this.#text.length; this.#at++) {
      const char = this.#text[this.#at]
      if (char === '\\') {
        isEscaped = true
        this.#at++
      } else if (char === quote) {
        const raw = this.#text.slice(start, this.#at++)
        return isEscaped ? unescape(raw) : raw
      }
    }
    throw new NotALiteral()
  }

  /** A number, a name such as `None`, or a call such as `date(2024, 5, 1)`, which is kept as text. */
  #bare(): JsonValue {
    const start = this.#at
    while (this.#at < this.#text.length && /[\w.+-]/.test(this.#text[this.#at]!)) this.#at++
    if (this.#at === start) throw new NotALiteral()
    if (this.#text[this.#at] === '(') {
      const end = this.#text.indexOf(')', this.#at)
      if (end === -1 || end - start > 200) throw new NotALiteral()
      this.#at = end + 1
    }
    const raw = this.#text.slice(start, this.#at)
    if (raw === 'None' || raw === 'null') return null
    return raw
  }

  #takes(char: string): boolean {
    if (this.#text[this.#at] !== char) return false
    this.#at++
    return true
  }

  #skip(): void {
    while (this.#at < this.#text.length && /\s/.test(this.#text[this.#at]!)) this.#at++
  }
}

const unescape = (raw: string): string =>
  raw.replaceAll(/\\(.)/gs, (_, char: string) => (char === 'n' ? '\n' : char === 't' ? '\t' : char))
