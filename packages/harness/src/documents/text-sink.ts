import { cutText } from '../text/cut-text.ts'

/** Gathers text up to a limit. What comes after it is not kept, so its memory has a bound. */
export class TextSink {
  readonly #maxChars: number
  readonly #parts: string[] = []
  #chars = 0

  constructor(maxChars: number) {
    this.#maxChars = maxChars
  }

  add(text: string): void {
    if (this.isFull) return
    this.#parts.push(text.slice(0, this.#maxChars + 1 - this.#chars))
    this.#chars += text.length
  }

  /** More than the limit has come: reading on is of no use. */
  get isFull(): boolean {
    return this.#chars > this.#maxChars
  }

  /** The text without blank space at its end, cut at a whole character. */
  get text(): string {
    return cutText(this.#parts.join(''), this.#maxChars).trimEnd()
  }
}
