/** Of a longer text the beginning is found. */
export const MAX_TEXT_CHARS = 100_000
const MAX_WORDS = 16

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Whether a text has a script without spaces between words. What is written in one is looked for letter by letter. */
export const isUnspaced = (text: string): boolean => UNSPACED.test(text)

/** The words to look for. Only letters and digits are left of what a person types, so that nothing in it is an operator. */
export function toSearchWords(typed: string): string[] {
  const found = typed.normalize('NFC').match(/[\p{L}\p{N}\p{M}]+/gu) ?? []
  return [...new Set(found)].slice(0, MAX_WORDS)
}

/** An excerpt on one line. */
export const toOneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
