import { findDates, monthOf, withoutDates } from './find-dates.ts'
import { foldLetters } from './fold-letters.ts'
import { toDateTerms } from './date-terms.ts'
import { splitWords } from './split-words.ts'
import type { Word } from './split-words.ts'
import { toWordTerms } from './word-terms.ts'

/** A word, reference or date of a query, with the terms that stand for it: the closer, the more one of them counts. */
export interface QueryPart {
  /** How much of the query it is, before rare ones count more. */
  readonly weight: number
  readonly whole: string
  /** Other terms that mean nearly the same: a stem, a date without its year. */
  readonly near: readonly string[]
  /** It is met as far as these are there. */
  readonly pieces: readonly string[]
}

const MAX_QUERY_CHARS = 1_000
const MAX_PARTS = 32

/** What a query looks for. */
export function toQueryParts(query: string): QueryPart[] {
  const folded = foldLetters(query.slice(0, MAX_QUERY_CHARS))
  const dates = findDates(folded).map((date): QueryPart => {
    const [whole = '', ...near] = toDateTerms(date)
    return {
      weight: 1.5,
      whole,
      near: near.filter((term) => date.day === undefined || /-/.test(term)),
      pieces: [],
    }
  })
  const parts = [...dates, ...splitWords(withoutDates(folded)).flatMap(toParts)]
  const known = new Set<string>()
  return parts.filter(({ whole }) => !known.has(whole) && known.add(whole)).slice(0, MAX_PARTS)
}

function toParts(word: Word): QueryPart[] {
  const { whole, forms, pieces } = toWordTerms(word)
  if (word.kind === 'reference')
    return [{ weight: word.text.length < 3 ? 0.6 : 1.5, whole, near: [], pieces }]
  if (word.kind === 'unspaced')
    return pieces.map((piece) => ({ weight: toPieceWeight(piece), whole: piece, near: [], pieces: [] }))
  const month = monthOf(word.text)
  const near = [...forms, ...(month ? [`d:${month}`] : [])]
  return [{ weight: toWordWeight(word.text), whole, near, pieces }]
}

/** Short words carry grammar more often than meaning; a syllable of Korean is written as one character. */
function toWordWeight(word: string): number {
  const { length } = word.normalize('NFC')
  return /^\p{Script=Hangul}/u.test(word) || length > 3 ? 1 : length === 3 ? 0.6 : 0.3
}

/** In Japanese, grammar is written in hiragana. Two characters say more than one. */
function toPieceWeight(term: string): number {
  if (/^p:\p{Script=Hiragana}+$/u.test(term)) return 0.15
  return Array.from(term).length === 'p:字'.length ? 0.12 : 0.5
}
