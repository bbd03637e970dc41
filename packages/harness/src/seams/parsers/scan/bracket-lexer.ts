const QUOTE = 0x22
const APOSTROPHE = 0x27
const STAR = 0x2a
const SLASH = 0x2f
const BACKSLASH = 0x5c
const NEWLINE = 0x0a
const CLOSER_OF: ReadonlyMap<number, number> = new Map([
  [0x7b, 0x7d],
  [0x5b, 0x5d],
])

/**
 * Tracks, character by character, whether a JSON or near-JSON value is complete: which brackets are open, and whether
 * the position is in a string or a comment.
 */
export class BracketLexer {
  #closers: number[] = []
  #quote = 0
  #escaped = false
  #comment: 'line' | 'block' | undefined
  /** The previous character, and the last one that was not white space. */
  #previous = 0
  #significant = 0
  #mismatched = false

  get isOpen(): boolean {
    return this.#closers.length > 0
  }

  /** In a string or a comment, where no character is syntax. */
  get isOpaque(): boolean {
    return this.#quote !== 0 || this.#comment !== undefined
  }

  /** A bracket was closed by one of the other kind, so the end of the value is uncertain. */
  get isMismatched(): boolean {
    return this.#mismatched
  }

  feed(code: number): void {
    if (this.#comment) this.#feedComment(code)
    else if (this.#quote !== 0) this.#feedString(code)
    else this.#feedPlain(code)
    this.#previous = code
  }

  #feedComment(code: number): void {
    const ends = this.#comment === 'line' ? code === NEWLINE : this.#previous === STAR && code === SLASH
    if (ends) this.#comment = undefined
  }

  #feedString(code: number): void {
    if (this.#escaped) this.#escaped = false
    else if (code === BACKSLASH) this.#escaped = true
    else if (code === this.#quote) {
      this.#quote = 0
      this.#significant = code
    }
  }

  #feedPlain(code: number): void {
    if (code === QUOTE || (code === APOSTROPHE && this.#expectsValue())) this.#quote = code
    else if (code === SLASH && this.#previous === SLASH) this.#comment = 'line'
    else if (code === STAR && this.#previous === SLASH) this.#comment = 'block'
    else {
      const closer = CLOSER_OF.get(code)
      if (closer !== undefined) this.#closers.push(closer)
      else if (code === 0x7d || code === 0x5d)
        this.#mismatched = this.#closers.pop() !== code || this.#mismatched
      if (code > 0x20) this.#significant = code
    }
  }

  /** A single quote opens a string only after `{`, `[`, `,` or `:`. Elsewhere it is an apostrophe. */
  #expectsValue(): boolean {
    const before = this.#significant
    return before === 0x7b || before === 0x5b || before === 0x2c || before === 0x3a
  }
}
