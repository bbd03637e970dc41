import type { Screen } from '../terminal/live-screen.ts'

/** Kinds of lines that stand apart from each other. */
export type Block = 'text' | 'rows' | 'aside' | 'summary' | 'break'

/** Prints blocks of lines, with a blank line between blocks of different kinds. */
export class BlockPrinter {
  readonly #last = new Map<Screen, Block>()

  /** Adds lines that stay on the screen. */
  print(screen: Screen, block: Block, lines: readonly string[]): void {
    if (lines.length === 0) return
    screen.draw(this.spaced(screen, block, lines))
    this.#last.set(screen, block)
  }

  /** The lines, with a blank line before them when the last block was of another kind. */
  spaced(screen: Screen, block: Block, lines: readonly string[]): readonly string[] {
    const last = this.#last.get(screen)
    return lines.length > 0 && last !== undefined && last !== block ? ['', ...lines] : lines
  }

  /** Text after this is a new paragraph, even when no other block is printed between. */
  endParagraph(screen: Screen): void {
    if (this.#last.get(screen) === 'text') this.#last.set(screen, 'break')
  }
}
