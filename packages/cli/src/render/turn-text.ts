import type { TurnEvent, TurnOutcome } from '@capstan/protocol'
import type { Screen } from '../terminal/live-screen.ts'
import { StreamedText } from '../terminal/streamed-text.ts'
import { styleOf } from '../terminal/style.ts'
import type { BlockPrinter } from './block-printer.ts'

/** Prints the text of one turn while it is streamed. The text of sub-agents is not shown. */
export class TurnText {
  readonly #screen: Screen
  readonly #printer: BlockPrinter
  readonly #lines = new StreamedText()
  /** The text of the current reply. */
  #reply = ''

  constructor(screen: Screen, printer: BlockPrinter) {
    this.#screen = screen
    this.#printer = printer
  }

  /** Takes an event of the turn itself. */
  follow(event: TurnEvent): void {
    if (event.type === 'text-delta') {
      this.#reply += event.delta
      this.#print(this.#lines.push(event.delta, this.#width()))
    } else if (event.type === 'iteration-start') this.#reply = ''
    else if (event.type === 'tool-start' || event.type === 'message-deliver' || event.type === 'turn-end') {
      this.#print(this.#lines.end(this.#width()))
      this.#printer.endParagraph(this.#screen)
    }
  }

  /** Prints the text of the outcome if it was not streamed. The text of a failure is in the summary. */
  printFinal({ type, text }: TurnOutcome): void {
    if (type === 'failed' || type === 'aborted') return
    const wasStreamed =
      type === 'done' ? this.#reply.trim() !== '' : squeeze(this.#reply).endsWith(squeeze(text))
    if (wasStreamed) return
    const width = this.#width()
    this.#print([...this.#lines.push(text, width), ...this.#lines.end(width)])
  }

  /** The line that is still open. */
  liveLines(): readonly string[] {
    return this.#printer.spaced(this.#screen, 'text', this.#lines.open(this.#width()))
  }

  #print(lines: readonly string[]): void {
    this.#printer.print(this.#screen, 'text', lines)
  }

  /** Piped text is not wrapped, because its reader has a width of its own. */
  #width(): number {
    return this.#screen.isLive ? styleOf(this.#screen.output, {}).width : Infinity
  }
}

const squeeze = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()
