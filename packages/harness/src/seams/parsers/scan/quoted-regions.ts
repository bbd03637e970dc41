import { OpenElements } from './open-elements.ts'
import { QuotationMarks } from './quotation-marks.ts'
import { isWordCode } from './word-code.ts'

const TAB = 0x09
const NEWLINE = 0x0a
const RETURN = 0x0d
const SPACE = 0x20
const HASH = 0x23
const BACKSLASH = 0x5c
const BACKTICK = 0x60
const TILDE = 0x7e
const LESS = 0x3c
const GREATER = 0x3e
const BAR = 0x7c

interface Fence {
  readonly mark: number
  readonly length: number
  readonly indent: number
  /** True on the line that opens it. */
  info: boolean
}

/**
 * Tracks, character by character, whether the next text of a reply is quoted: in a code block, in inline code, in a block
 * quote or between quotation marks. Reads Markdown as people write it. When two readings are possible, it chooses the
 * one that quotes.
 */
export class QuotedRegions {
  #fence: Fence | undefined
  #closing = { possible: true, indent: 0, run: 0, after: false }
  /** True while this line has only indentation, list markers or quote marks so far. */
  #inPrefix = true
  #indent = 0
  #column = 0
  #isListItem = false
  #marker: 'none' | 'bullet' | 'number' | 'delimited' = 'none'
  #isIndented = false
  #isBlockQuote = false
  #isTableRow = false
  /** A paragraph that began in a block quote stays quoted until a blank line, also on lines without a mark. */
  #continuesQuote = false
  #run = { mark: 0, length: 0, inPrefix: false, escaped: false, afterWord: false }
  /** The number of backticks that opened inline code: per paragraph, as in Markdown, and separately per line. */
  #paragraphCode = 0
  #lineCode = 0
  #quotation = new QuotationMarks()
  #elements = new OpenElements()
  #previous = NEWLINE
  #beforePrevious = NEWLINE

  /** In a fenced code block, where markup is plain text. */
  get inFence(): boolean {
    return this.#fence !== undefined
  }

  get inInlineCode(): boolean {
    this.#endRun(0)
    return this.#paragraphCode > 0 || this.#lineCode > 0
  }

  /** Elements of any name that are still open. */
  get openElements(): readonly string[] {
    return this.#elements.names
  }

  /** Whether a fence here would be at the top level of the reply: not in a list, a quote or an indented block. */
  get mayOpenFence(): boolean {
    if (this.#fence || this.#run.length > 0 || !this.#inPrefix) return false
    return !this.#isListItem && this.#marker === 'none' && this.#indent < 4
  }

  /** Whether a call here would be quoted. Indentation means code, unless no text precedes it (`isFirst`). */
  quotes(isFirst: boolean): boolean {
    if (this.inInlineCode || this.inFence) return true
    if (this.#isBlockQuote || this.#continuesQuote || this.#isTableRow) return true
    if (!isFirst && (this.#isIndented || (this.#inPrefix && this.#indent >= 4 && !this.#isListItem)))
      return true
    if (this.#previous === BACKTICK || this.#previous === BACKSLASH) return true
    return this.#quotation.isOpenBefore(LESS)
  }

  /** Reads the next character. */
  feed(code: number): void {
    const run = this.#run
    if (run.length > 0 && code !== run.mark) this.#endRun(code)
    if (code === NEWLINE) this.#endLine()
    else if (this.#fence) this.#feedFence(this.#fence, code)
    else if (this.#inPrefix) this.#feedPrefix(code)
    else this.#feedLine(code)
    this.#beforePrevious = this.#previous
    this.#previous = code
  }

  /** Passes over a call or a quoting element. Only its line breaks and line starts count. */
  skip(text: string): void {
    this.#endRun(0)
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (code === NEWLINE) {
        this.#startLine()
        this.#startBlock()
      } else if (this.#inPrefix && code !== BACKTICK && code !== TILDE) this.#feedPrefix(code)
      else this.#startText()
    }
    this.#quotation = new QuotationMarks()
    this.#previous = this.#beforePrevious = SPACE
  }

  #feedPrefix(code: number): void {
    this.#column++
    if (code === SPACE || code === TAB || code === RETURN) {
      if (this.#marker === 'bullet' || this.#marker === 'delimited') this.#startListItem()
      else if (this.#marker === 'number') this.#startText()
      this.#indent += code === TAB ? 4 : code === SPACE ? 1 : 0
    } else if (this.#marker === 'none' && (code === BACKTICK || code === TILDE)) {
      this.#extendRun(code, true)
    } else if (this.#marker === 'none' && code === GREATER) {
      this.#isBlockQuote = true
      this.#startText()
    } else if (this.#marker === 'none' && (code === 0x2a || code === 0x2b || code === 0x2d)) {
      this.#marker = 'bullet'
    } else if ((this.#marker === 'none' || this.#marker === 'number') && code >= 0x30 && code <= 0x39) {
      this.#marker = 'number'
    } else if (this.#marker === 'number' && (code === 0x29 || code === 0x2e)) {
      this.#marker = 'delimited'
    } else {
      if (code === HASH && this.#marker === 'none') this.#startBlock()
      this.#isTableRow = code === BAR && this.#marker === 'none'
      this.#startText()
      this.#feedLine(code)
    }
  }

  #startListItem(): void {
    this.#marker = 'none'
    this.#isListItem = true
    this.#isIndented ||= this.#indent >= 4
    this.#indent = 0
    this.#startBlock()
  }

  /** A new block ends the paragraph before it. */
  #startBlock(): void {
    this.#paragraphCode = 0
    this.#continuesQuote = false
  }

  #startText(): void {
    this.#inPrefix = false
    this.#isIndented ||= this.#indent >= 4 && !this.#isListItem
  }

  #feedLine(code: number): void {
    if (code === BACKTICK) this.#extendRun(code, false)
    else if (this.#paragraphCode === 0 && this.#lineCode === 0) {
      this.#quotation.feed(code)
      this.#elements.feed(code)
    }
  }

  #extendRun(code: number, inPrefix: boolean): void {
    const run = this.#run
    if (run.length === 0) {
      run.mark = code
      run.inPrefix = inPrefix
      run.escaped = this.#previous === BACKSLASH && this.#beforePrevious !== BACKSLASH
      run.afterWord = isWordCode(this.#previous)
    }
    run.length++
  }

  #endRun(next: number): void {
    const { mark, length, inPrefix, escaped, afterWord } = this.#run
    if (length === 0) return
    this.#run.length = 0
    if (inPrefix && length >= 3) {
      this.#startBlock()
      this.#fence = { mark, length, indent: this.#column - length, info: true }
      return
    }
    if (inPrefix) this.#startText()
    if (mark !== BACKTICK) return
    const isApostrophe = length === 1 && afterWord && isWordCode(next)
    this.#lineCode = toggle(this.#lineCode, length, isApostrophe)
    // An escaped backtick opens nothing in Markdown, but on its line it still looks like a quotation.
    const inParagraph = escaped && this.#paragraphCode === 0 ? length - 1 : length
    if (inParagraph > 0) this.#paragraphCode = toggle(this.#paragraphCode, inParagraph, isApostrophe)
  }

  #feedFence(fence: Fence, code: number): void {
    if (fence.info) {
      // More backticks on the opening line: it was inline code at the start of a line, not a fence.
      if (code === BACKTICK && fence.mark === BACKTICK) {
        this.#fence = undefined
        this.#startText()
        this.#paragraphCode = this.#lineCode = fence.length
        this.#feedLine(code)
      }
      return
    }
    const closing = this.#closing
    if (code === SPACE || code === TAB || code === RETURN) {
      if (closing.run > 0) closing.after = true
      else closing.indent += code === TAB ? 4 : 1
    } else if (code === fence.mark && !closing.after) closing.run++
    else closing.possible = false
  }

  #endLine(): void {
    const { possible, indent, run } = this.#closing
    const fence = this.#fence
    if (fence?.info) fence.info = false
    else if (fence) {
      if (possible && run >= fence.length && indent <= fence.indent + 3) this.#fence = undefined
    } else if (this.#isBlockQuote) this.#continuesQuote = true
    else if (this.#inPrefix && this.#marker === 'none' && !this.#isListItem) this.#startBlock()
    this.#startLine()
  }

  #startLine(): void {
    this.#closing = { possible: true, indent: 0, run: 0, after: false }
    this.#inPrefix = true
    this.#indent = 0
    this.#column = 0
    this.#isListItem = false
    this.#marker = 'none'
    this.#isIndented = false
    this.#isBlockQuote = false
    this.#isTableRow = false
    this.#lineCode = 0
    this.#quotation = new QuotationMarks()
  }
}

function toggle(open: number, length: number, isApostrophe: boolean): number {
  if (open === length) return 0
  return open === 0 && !isApostrophe ? length : open
}
