/** A reader that yields when it needs more of the reply. */
export type Reading<T> = Generator<undefined, T, undefined>

/**
 * The part of a reply that has arrived. A reader suspends at its end instead of starting over, so the result and the
 * cost do not depend on how the reply is split.
 */
export class ReplySource {
  /** The text that has arrived and is not dropped yet. Everything before `at` has been read. */
  text = ''
  at = 0
  ended = false
  #kept: string[] = []
  #keptLength = 0
  #keptFrom = 0
  #keeps = false

  push(delta: string): void {
    if (this.#keeps) {
      const read = this.text.slice(this.#keptFrom, this.at)
      this.#kept.push(read)
      this.#keptLength += read.length
      this.#keptFrom = 0
    }
    this.text = this.text.slice(this.at) + delta
    this.at = 0
  }

  /** Keeps what is read from here on, until `release`. */
  keep(): void {
    this.#keeps = true
    this.#keptFrom = this.at
  }

  get keptLength(): number {
    return this.#keptLength + this.at - this.#keptFrom
  }

  /** Returns the first `length` kept characters. Text after them will be read again. */
  release(length = this.keptLength): string {
    if (this.#kept.length > 0) {
      this.text = this.#kept.join('') + this.text.slice(this.#keptFrom)
      this.#keptFrom = 0
    }
    const from = this.#keptFrom
    this.at = from + length
    this.#kept = []
    this.#keptLength = 0
    this.#keeps = false
    return this.text.slice(from, this.at)
  }
}

/** Moves to the next `literal`. False, at the end of the reply, when there is none. */
export function* seek(source: ReplySource, literal: string): Reading<boolean> {
  for (;;) {
    const found = source.text.indexOf(literal, source.at)
    if (found >= 0) {
      source.at = found
      return true
    }
    if (source.ended) {
      source.at = source.text.length
      return false
    }
    source.at = Math.max(source.at, source.text.length - literal.length + 1)
    yield
  }
}

/** Moves to the next character that is not white space. False at the end of the reply. */
export function* skipSpace(source: ReplySource): Reading<boolean> {
  for (;;) {
    while (source.at < source.text.length && /\s/.test(source.text.charAt(source.at))) source.at++
    if (source.at < source.text.length) return true
    if (source.ended) return false
    yield
  }
}
