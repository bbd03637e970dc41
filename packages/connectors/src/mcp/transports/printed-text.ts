const HEAD_CHARS = 400
const TAIL_CHARS = 3_600
const SHOWN_HEAD_CHARS = 60

/** What a program printed: a little of the start, and the end, which mostly says why it failed. */
export class PrintedText {
  #head = ''
  #tail = ''
  #isCut = false

  add(piece: string): void {
    const space = HEAD_CHARS - this.#head.length
    this.#head += piece.slice(0, space)
    const tail = this.#tail + piece.slice(space)
    this.#isCut ||= tail.length > TAIL_CHARS
    this.#tail = tail.slice(-TAIL_CHARS)
  }

  toString(): string {
    return this.#isCut
      ? `${wholeWordsBefore(this.#head)}\n…\n${wholeWordsAfter(this.#tail)}`
      : this.#head + this.#tail
  }

  /** At most so many characters, both ends. Words are not cut: half of a secret would not be found and hidden. */
  toShort(maxChars: number): string {
    const text = this.toString().trim()
    if (text.length <= maxChars) return text
    const head = wholeWordsBefore(text.slice(0, SHOWN_HEAD_CHARS))
    return `${head} … ${wholeWordsAfter(text.slice(-(maxChars - SHOWN_HEAD_CHARS)))}`.trim()
  }
}

function wholeWordsBefore(text: string): string {
  let end = text.length
  while (end > 0 && text[end - 1]!.trim() !== '') end--
  return text.slice(0, end).trimEnd()
}

const wholeWordsAfter = (text: string): string => text.replace(/^\S+/, '').trimStart()
