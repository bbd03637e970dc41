import type { Seen } from './provenance.ts'
import { TOKEN, toKey } from './words.ts'

const PLAIN = /^\p{Lu}?[\p{Ll}\p{Lo}]+$|^\p{Lu}+$/u
const NO_WORD = /[bcdfghjklmnpqrstvwxz]{5}|^[bcdfghjklmnpqrstvwxz]{4}/i
const SIGNS = /[^\p{L}\p{N}]{3,}| {2,}/gu

/** An upper estimate, since a word of a language carries less than a code of the same length. */
const BITS_PER_LETTER = 2
const BITS_PER_SIGN = 5

/**
 * How much a text could tell that the user did not say, in bits. It does not matter how it is encoded: what neither
 * the user said nor reads as a plain word counts in full, and so do mixed case and long runs of signs. Linear.
 */
export function unexplainedBits(text: string, seen: Seen): number {
  let bits = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const isPlain = isPlainWord(token)
    if (seen.user.hasToken(token) || (isPlain && seen.user.hasWord(toKey(token)))) continue
    bits += token.length * (isPlain ? BITS_PER_LETTER : BITS_PER_SIGN)
  }
  for (const [signs] of text.matchAll(SIGNS)) bits += signs.length * BITS_PER_SIGN
  return bits
}

/** Whether a token could be a word of a language: letters in one case, with a vowel now and then. */
export const isPlainWord = (token: string): boolean =>
  token.length > 1 && PLAIN.test(token) && !NO_WORD.test(token)
