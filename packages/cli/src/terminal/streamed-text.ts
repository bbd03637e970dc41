import { wrap } from './display-width.ts'
import { toPrintable } from './printable.ts'

/**
 * Text that arrives in pieces, as lines to print. The last line stays open until it is full or the text ends.
 * Blank lines at the beginning and at the end are left out.
 */
export class StreamedText {
  #open = ''
  #blankLines = 0
  #begun = false

  /** The lines that are complete now. */
  push(delta: string, width: number): readonly string[] {
    const lines = (this.#open + delta).split('\n')
    this.#open = lines.pop() ?? ''
    const complete = lines.flatMap((line) => this.#close(line, width))
    const rows = wrapPrintable(this.#open, width)
    if (rows.length === 1) return complete
    this.#open = rows.at(-1) ?? ''
    return [...complete, ...rows.slice(0, -1).flatMap((row) => this.#close(row, width))]
  }

  /** The line that still grows, if there is anything in it. */
  open(width: number): readonly string[] {
    const rows = wrapPrintable(this.#open, width)
    return rows.some((row) => row.trim() !== '') ? [...this.#blanks(), ...rows] : []
  }

  /** What was open. The next text begins anew. */
  end(width: number): readonly string[] {
    const rest = this.#open.trim() === '' ? [] : this.#close(this.#open, width)
    this.#open = ''
    this.#blankLines = 0
    this.#begun = false
    return rest
  }

  #close(line: string, width: number): readonly string[] {
    const rows = wrapPrintable(line, width)
    if (rows.every((row) => row.trim() === '')) {
      if (this.#begun) this.#blankLines++
      return []
    }
    const lines = [...this.#blanks(), ...rows]
    this.#blankLines = 0
    this.#begun = true
    return lines
  }

  #blanks(): readonly string[] {
    return Array.from({ length: this.#blankLines }, () => '')
  }
}

// A line separator of another kind, once made inert, is a line break like any other.
function wrapPrintable(line: string, width: number): readonly string[] {
  return toPrintable(line)
    .split('\n')
    .flatMap((part) => (width === Infinity ? [part] : wrap(part, width)))
}
