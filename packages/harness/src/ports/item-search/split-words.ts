/** A part of a folded text. */
export interface Word {
  readonly text: string
  /** `reference`: a number or name with digits in it. `unspaced`: a run of a script without spaces between words. */
  readonly kind: 'word' | 'reference' | 'unspaced'
}

const UNSPACED =
  '\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}ー々'
const RUN = new RegExp(`[${UNSPACED}]+|[[\\p{L}\\p{N}\\p{M}]--[${UNSPACED}]]+`, 'gv')
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u')
const REFERENCE = /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/.:#+][\p{L}\p{N}]+)+/gu
const MAX_WORD_CHARS = 40

/** The words of a folded text, in their order. References come whole, without their separators, and in their parts. */
export function splitWords(folded: string): Word[] {
  const words: Word[] = []
  for (const [found] of folded.matchAll(REFERENCE)) {
    if (!/\d/.test(found) || found.length > MAX_WORD_CHARS) continue
    words.push({ text: found.replaceAll(/[^\p{L}\p{N}]/gu, ''), kind: 'reference' })
  }
  for (const [text] of folded.matchAll(RUN)) {
    if (IS_UNSPACED.test(text)) words.push({ text, kind: 'unspaced' })
    else words.push({ text: text.slice(0, MAX_WORD_CHARS), kind: /\d/.test(text) ? 'reference' : 'word' })
  }
  return words
}
