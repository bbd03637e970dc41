/** Puts words together into paragraphs. White space collapses as it arrives, so nothing is gone over twice. */
export class TextFlow {
  readonly #parts: string[] = []
  #gap: '' | ' ' | '\n' | '\n\n' = ''
  #prefix = ''

  text(words: string): void {
    const collapsed = words.replaceAll(/[\s\u00a0]+/g, ' ')
    if (collapsed === '') return
    if (collapsed === ' ') {
      if (this.#gap === '') this.#gap = ' '
      return
    }
    const startsApart = collapsed.startsWith(' ') && this.#gap === ''
    const endsApart = collapsed.endsWith(' ')
    if (this.#parts.length > 0) this.#parts.push(startsApart ? ' ' : this.#gap)
    this.#parts.push(this.#prefix, collapsed.trim())
    this.#prefix = ''
    this.#gap = endsApart ? ' ' : ''
  }

  breakLine(prefix = ''): void {
    if (this.#gap !== '\n\n') this.#gap = '\n'
    this.#prefix = prefix
  }

  breakBlock(prefix = ''): void {
    this.#gap = '\n\n'
    // A paragraph inside a list item stays on the item's line.
    if (prefix !== '' || this.#prefix === '') this.#prefix = prefix
  }

  end(): string {
    return this.#parts.join('')
  }
}
