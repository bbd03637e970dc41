/** Reads on from a source and yields where it needs more of the reply. */
export type Reading<T> = Generator<undefined, T, undefined>

/**
 * What has arrived of a reply. Readers suspend where they run out of it instead of starting over, so every
 * reply is read the same way and at the same cost, however it was cut into pieces.
 */
export class ReplySource {
  /** What has arrived and was not dropped yet; everything before `at` was read. */
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

  /** From here on what was read is kept, until it is released. */
  keep(): void {
    this.#keeps = true
    this.#keptFrom = this.at
  }

  get keptLength(): number {
    return this.#keptLength + this.at - this.#keptFrom
  }

  /** Hands out the first `length` characters kept. What was read beyond them will be read again. */
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

/** Moves to the next `literal`; at the end of the reply if there is none. */
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

/** Moves to the next character that is no white space; false at the end of the reply. */
export function* skipSpace(source: ReplySource): Reading<boolean> {
  for (;;) {
    while (source.at < source.text.length && /\s/.test(source.text.charAt(source.at))) source.at++
    if (source.at < source.text.length) return true
    if (source.ended) return false
    yield
  }
}
