import { wrap } from './display-width.ts'
import { toPrintable } from './printable.ts'

/**
 * Turns text that arrives in pieces into lines to print. The last line stays open until it is full or the text ends.
 * Blank lines at the start and at the end are left out.
 */
export class StreamedText {
  #open = ''
  #blankLines = 0
  #hasText = false

  /** Adds a piece of text. Answers with the lines that are complete now. */
  push(delta: string, width: number): readonly string[] {
    const lines = (this.#open + delta).split('\n')
    this.#open = lines.pop() ?? ''
    const complete = lines.flatMap((line) => this.#close(line, width))
    const rows = wrapPrintable(this.#open, width)
    if (rows.length === 1) return complete
    this.#open = rows.at(-1) ?? ''
    return [...complete, ...rows.slice(0, -1).flatMap((row) => this.#close(row, width))]
  }

  /** The line that is still open, if it has text. */
  open(width: number): readonly string[] {
    const rows = wrapPrintable(this.#open, width)
    return rows.some((row) => row.trim() !== '') ? [...this.#blanks(), ...rows] : []
  }

  /** Ends the text. Answers with the open line. The next piece starts a new text. */
  end(width: number): readonly string[] {
    const rest = this.#open.trim() === '' ? [] : this.#close(this.#open, width)
    this.#open = ''
    this.#blankLines = 0
    this.#hasText = false
    return rest
  }

  #close(line: string, width: number): readonly string[] {
    const rows = wrapPrintable(line, width)
    if (rows.every((row) => row.trim() === '')) {
      if (this.#hasText) this.#blankLines++
      return []
    }
    const lines = [...this.#blanks(), ...rows]
    this.#blankLines = 0
    this.#hasText = true
    return lines
  }

  #blanks(): readonly string[] {
    return Array.from({ length: this.#blankLines }, () => '')
  }
}

// `toPrintable` turns other line separators into line breaks.
function wrapPrintable(line: string, width: number): readonly string[] {
  return toPrintable(line)
    .split('\n')
    .flatMap((part) => (width === Infinity ? [part] : wrap(part, width)))
}
