const DIGIT = 1
const LOWER = 2
const UPPER = 4
const HEX = 8
const NAME = 16

const FLAGS = new Uint8Array(128)
for (let code = 48; code <= 57; code++) FLAGS[code] = DIGIT | HEX | NAME
for (let code = 97; code <= 122; code++) FLAGS[code] = LOWER | NAME | (code <= 102 ? HEX : 0)
for (let code = 65; code <= 90; code++) FLAGS[code] = UPPER | NAME | (code <= 70 ? HEX : 0)
FLAGS[95] = NAME

// Beyond ASCII, and before or behind the text (NaN), there is no flag.
const flagsOf = (code: number): number => (code < 128 ? FLAGS[code]! : 0)

/** `0` to `9`. */
export const isDigit = (code: number): boolean => (flagsOf(code) & DIGIT) !== 0
/** `a` to `z`. */
export const isLower = (code: number): boolean => (flagsOf(code) & LOWER) !== 0
/** `A` to `Z`. */
export const isUpper = (code: number): boolean => (flagsOf(code) & UPPER) !== 0
/** A hexadecimal digit. */
export const isHex = (code: number): boolean => (flagsOf(code) & HEX) !== 0
/** An ASCII letter or digit. */
export const isAlphanumeric = (code: number): boolean => (flagsOf(code) & (DIGIT | LOWER | UPPER)) !== 0
/** Letters, digits and the underscore. */
export const isNameCharacter = (code: number): boolean => (flagsOf(code) & NAME) !== 0

/** The code of `\`. */
export const BACKSLASH = 92
const PERCENT = 37
const [LETTER_M, LETTER_N, LETTER_R, LETTER_T, LETTER_U] = [109, 110, 114, 116, 117]
// oxlint-disable-next-line no-control-regex
const COLOUR = /\u001B\[[\d;]{0,8}m$/

/**
 * Whether a word may begin at `at`. A letter before it is no hindrance when it belongs to an escape: `\n`, `%3D`,
 * `\u0026`, or the colours of a terminal.
 */
export function startsWord(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1)
  // The letter behind a backslash belongs to the escape: `\\napi_` is a line break and a word.
  if (before === BACKSLASH) return !'nrtbfu'.includes(text.charAt(at))
  if (!isAlphanumeric(before)) return true
  const second = text.charCodeAt(at - 2)
  if (second === BACKSLASH) return before === LETTER_N || before === LETTER_R || before === LETTER_T
  if (text.charCodeAt(at - 3) === PERCENT && isHex(before) && isHex(second)) return true
  if (text.charCodeAt(at - 6) === BACKSLASH && text.charCodeAt(at - 5) === LETTER_U) return true
  return before === LETTER_M && COLOUR.test(text.slice(Math.max(0, at - 12), at))
}
