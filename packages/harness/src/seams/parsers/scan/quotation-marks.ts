import { isWordCode } from './word-code.ts'

const SPACE = 0x20
const QUOTE = 0x22
const APOSTROPHE = 0x27
const CURLY_APOSTROPHE = '’'.charCodeAt(0)

/** Marks that only open, and below marks that only close. */
const OPENING = new Set(['“', '„', '‘', '«', '「', '『'].map((mark) => mark.charCodeAt(0)))
const CLOSING = new Set(['”', '»', '」', '』'].map((mark) => mark.charCodeAt(0)))
/** Closes a quotation that „ opened; otherwise opens one that ” closes. */
const EITHER = '“'.charCodeAt(0)

/** Tracks on one line whether the position is between quotation marks. */
export class QuotationMarks {
  #isDouble = false
  #isSingle = false
  #open = 0
  /** The previous character, and the one before an apostrophe that is not yet known to open or close. */
  #previous = SPACE
  #beforeApostrophe: number | undefined

  /** Whether text that begins with this character is quoted. */
  isOpenBefore(next: number): boolean {
    this.#decideApostrophe(next)
    return this.#isDouble || this.#isSingle || this.#open > 0
  }

  feed(code: number): void {
    this.#decideApostrophe(code)
    if (code === QUOTE) this.#isDouble = !this.#isDouble
    else if (code === APOSTROPHE || code === CURLY_APOSTROPHE) this.#beforeApostrophe = this.#previous
    else if (CLOSING.has(code) || (code === EITHER && this.#open > 0))
      this.#open = Math.max(0, this.#open - 1)
    else if (OPENING.has(code)) this.#open++
    this.#previous = code
  }

  /** Between two letters it is an apostrophe. Elsewhere the space beside it decides whether it opens or closes. */
  #decideApostrophe(next: number): void {
    const before = this.#beforeApostrophe
    if (before === undefined) return
    this.#beforeApostrophe = undefined
    if (isWordCode(before) && isWordCode(next)) return
    const isClosing = before > SPACE && !isWordCode(next)
    if (this.#isSingle && isClosing) this.#isSingle = false
    else if (this.#open > 0 && isClosing && this.#previous === CURLY_APOSTROPHE) this.#open--
    else if (!isWordCode(before) && next > SPACE && this.#previous === APOSTROPHE) this.#isSingle = true
  }
}
