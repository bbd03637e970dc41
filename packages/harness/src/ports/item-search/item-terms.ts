import { toDate, toDateTerms } from './date-terms.ts'
import { findDates, monthOf } from './find-dates.ts'
import { foldLetters } from './fold-letters.ts'
import { splitWords } from './split-words.ts'
import type { Word } from './split-words.ts'
import { toWordTerms } from './word-terms.ts'
import type { WordTerms } from './word-terms.ts'

/** The parts of an item that are searched. */
export interface SearchableItem {
  readonly title: string
  readonly text: string
  readonly people: readonly string[]
  /** When it was written or takes place, in milliseconds. */
  readonly at?: number
}

/** Of a longer text the beginning is found. */
const MAX_TEXT_CHARS = 100_000
// PostgreSQL holds about a megabyte of them per item.
const MAX_TERMS = 20_000

/** Everything an item is found by. The same for the same item. */
export function toItemTerms({ title, text, people, at }: SearchableItem): Set<string> {
  const terms = new Set<string>()
  const folded = foldLetters(`${title}\n${beginningOf(text)}\n${people.join('\n')}`)
  const known = new Set<string>()
  // Names of people are also looked for without the space.
  const joined = people.map((name) => foldLetters(name).replaceAll(/\s+/gu, '')).join('\n')
  for (const word of [...splitWords(folded), ...splitWords(joined)]) {
    if (known.has(word.text)) continue
    if (terms.size >= MAX_TERMS) break
    known.add(word.text)
    const { whole, forms, pieces } = cachedTerms(word)
    terms.add(whole)
    for (const form of forms) terms.add(form)
    const month = monthOf(word.text)
    if (month) terms.add(`d:${month}`)
    for (const piece of pieces) if (terms.size < MAX_TERMS) terms.add(piece)
  }
  for (const date of findDates(folded)) for (const term of toDateTerms(date)) terms.add(term)
  if (at !== undefined) for (const term of toDateTerms(toDate(at)).slice(0, -1)) terms.add(term)
  return terms
}

/** Some characters stand for up to 18 letters, which count. */
const beginningOf = (text: string): string =>
  text.slice(0, MAX_TEXT_CHARS).normalize('NFKC').slice(0, MAX_TEXT_CHARS)

// Most words of a text were seen before.
const MAX_CACHED = 50_000
const MAX_CACHED_CHARS = 40
const cache = new Map<string, WordTerms>()

function cachedTerms(word: Word): WordTerms {
  if (word.text.length > MAX_CACHED_CHARS) return toWordTerms(word)
  const key = `${word.kind[0]}${word.text}`
  const known = cache.get(key)
  if (known) return known
  const terms = toWordTerms(word)
  if (cache.size >= MAX_CACHED) cache.clear()
  cache.set(key, terms)
  return terms
}
