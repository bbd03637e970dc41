/** Keeps the beginning and the end of a text that may be of any length. Never holds more than `maxChars` and a piece. */
export class ClippedText {
  readonly #half: number
  #head = ''
  #tail: string[] = []
  #tailChars = 0
  #allChars = 0

  constructor(maxChars: number) {
    this.#half = Math.ceil(maxChars / 2)
  }

  add(piece: string): void {
    this.#allChars += piece.length
    const space = Math.max(0, this.#half - this.#head.length)
    this.#head += piece.slice(0, space)
    const rest = piece.slice(space)
    if (rest === '') return
    this.#tail.push(rest)
    this.#tailChars += rest.length
    while (this.#tailChars - this.#tail[0]!.length >= this.#half)
      this.#tailChars -= this.#tail.shift()!.length
  }

  /** Both ends, and between them how much is missing. */
  toString(): string {
    const tail = this.#tail.join('').slice(-this.#half)
    if (this.#head.length + tail.length === this.#allChars) return this.#head + tail
    // A character cut in half at either side is left out.
    const head = this.#head.replace(/[\ud800-\udbff]$/, '')
    const end = tail.replace(/^[\udc00-\udfff]/, '')
    return `${head}\n[… ${this.#allChars - head.length - end.length} characters left out …]\n${end}`
  }
}
