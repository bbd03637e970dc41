/** Lines of text put together from scraps. White space collapses as it comes, so nothing is gone over twice. */
export class ReadableText {
  readonly #lines: string[] = []
  #line: string[] = []
  #endsOpen = true
  /** Inside preformatted text. */
  keepsSpace = false

  add(scrap: string): void {
    if (this.keepsSpace) {
      const [first = '', ...rest] = scrap.split('\n')
      this.#push(first)
      for (const line of rest) {
        this.breakLine()
        this.#push(line)
      }
      return
    }
    const collapsed = scrap.replaceAll(/\s+/g, ' ')
    this.#push(this.#endsOpen && collapsed.startsWith(' ') ? collapsed.slice(1) : collapsed)
  }

  /** Ends the line; one that is empty is not counted. */
  breakLine(): void {
    const line = this.#line.join('').trimEnd()
    if (line !== '') this.#lines.push(line)
    this.#line = []
    this.#endsOpen = true
  }

  end(): string {
    this.breakLine()
    return this.#lines.join('\n')
  }

  #push(scrap: string): void {
    if (scrap === '') return
    this.#line.push(scrap)
    this.#endsOpen = scrap.endsWith(' ')
  }
}
