import { cutText } from '../../text/cut-text.ts'
import { sanitizeLine } from '../../text/untrusted-text.ts'
import { foldLetters } from './fold-letters.ts'
import { toQueryParts } from './query-parts.ts'
import type { QueryPart } from './query-parts.ts'
import { splitWords } from './split-words.ts'
import { toWordTerms } from './word-terms.ts'
import type { WordTerms } from './word-terms.ts'

/** A piece of a text, and whether a word of the query stands there. */
export interface ExcerptPart {
  readonly text: string
  readonly isMatch: boolean
}

/** The terms of a query, how much each says, and the pieces of its words. */
interface Wanted {
  readonly terms: ReadonlyMap<string, number>
  readonly pieced: readonly Pick<QueryPart, 'pieces' | 'weight'>[]
}

interface Match {
  readonly from: number
  readonly to: number
  readonly word: string
  readonly weight: number
}

const MAX_EXCERPT_CHARS = 260
const CHARS_BEFORE = 60
const MAX_READ_CHARS = 30_000
/** Shorter words are grammar more often than meaning. They are marked only when a query has nothing else. */
const MEANS_SOMETHING = 0.5
/** A word with so many of the pieces of a wanted one is another form of it, or a misspelt one. */
const SHARED_PIECES = 0.6

const REFERENCE_OR_RUN =
  /(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?:[-_/.:#+][\p{L}\p{N}]+)+|(?:[\p{L}\p{N}\p{M}]|\u200c|\u200d)+/gu

/**
 * The stretch of a text that has most of what a query asks for, as one line; its beginning when nothing is there. Words are
 * marked as the search compares them: in other forms, without accents. The joined parts are the stretch.
 */
export function findExcerpt(text: string, query: string): readonly ExcerptPart[] {
  const line = sanitizeLine(text.slice(0, MAX_READ_CHARS), MAX_READ_CHARS)
  const matches = findMatches(line, toWanted(query))
  const [from, to] = chooseStretch(line, matches)
  const parts = toParts(line, matches, from, to)
  return [
    ...(from > 0 ? [{ text: '…', isMatch: false }] : []),
    ...parts,
    ...(to < line.length || text.length > MAX_READ_CHARS ? [{ text: '…', isMatch: false }] : []),
  ]
}

/** A line with the words of the query marked, cut when it is long. The joined parts are the line. */
export function markLine(text: string, query: string, maxChars: number): readonly ExcerptPart[] {
  const line = sanitizeLine(text, maxChars)
  return toParts(line, findMatches(line, toWanted(query)), 0, line.length)
}

function toWanted(query: string): Wanted {
  const parts = toQueryParts(query)
  const chosen = parts.some(({ weight }) => weight >= MEANS_SOMETHING)
    ? parts.filter(({ weight }) => weight >= MEANS_SOMETHING)
    : parts
  return {
    terms: new Map(
      chosen.flatMap(({ whole, near, weight }) => [whole, ...near].map((term) => [term, weight] as const)),
    ),
    pieced: chosen.filter(({ pieces }) => pieces.length > 0),
  }
}

function findMatches(line: string, wanted: Wanted): readonly Match[] {
  if (wanted.terms.size === 0) return []
  const known = new Map<string, readonly Match[]>()
  const matches: Match[] = []
  for (const { 0: run, index } of line.matchAll(REFERENCE_OR_RUN)) {
    let inside = known.get(run)
    if (!inside) known.set(run, (inside = matchRun(run, wanted)))
    for (const match of inside) matches.push({ ...match, from: index + match.from, to: index + match.to })
  }
  return matches
}

/** What is wanted in a run of letters: all of it, a part of a reference, or neighbours where no spaces are written. */
function matchRun(run: string, wanted: Wanted): readonly Match[] {
  const words = splitWords(foldLetters(run))
  if (words.some(({ kind }) => kind === 'unspaced')) return matchLetters(run, wanted)
  const [first] = words
  const weight = first && weightOf(toWordTerms(first), wanted)
  if (first && weight) return [{ from: 0, to: run.length, word: first.text, weight }]
  if (words.length < 2) return []
  return [...run.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].flatMap(({ 0: part, index }) =>
    part === run
      ? []
      : matchRun(part, wanted).map((match) => ({
          ...match,
          from: index + match.from,
          to: index + match.to,
        })),
  )
}

function weightOf({ whole, forms, pieces }: WordTerms, { terms, pieced }: Wanted): number {
  const own = new Set(pieces)
  const alike = pieced
    .filter(
      (part) => part.pieces.filter((piece) => own.has(piece)).length >= SHARED_PIECES * part.pieces.length,
    )
    .map(({ weight }) => weight)
  return Math.max(0, ...[whole, ...forms].map((term) => terms.get(term) ?? 0), ...alike)
}

function matchLetters(run: string, wanted: Wanted): readonly Match[] {
  const letters = Array.from(run)
  const folded = letters.map(foldLetters)
  const matches: Match[] = []
  let from = 0
  letters.forEach((letter, at) => {
    const next = letters[at + 1]
    if (next !== undefined) {
      const word = `p:${folded[at]}${folded[at + 1]}`
      const weight = wanted.terms.get(word)
      if (weight) matches.push({ from, to: from + letter.length + next.length, word, weight })
    }
    from += letter.length
  })
  return matches
}

/** From where to where: the stretch with the most different words, the first of equal ones. */
function chooseStretch(line: string, matches: readonly Match[]): readonly [number, number] {
  let best = { at: 0, weight: 0 }
  matches.forEach((first, index) => {
    const seen = new Map<string, number>()
    for (let next = index; next < matches.length; next++) {
      const match = matches[next]!
      if (match.to - first.from > MAX_EXCERPT_CHARS - CHARS_BEFORE) break
      seen.set(match.word, match.weight)
    }
    const weight = [...seen.values()].reduce((sum, one) => sum + one, 0)
    if (weight > best.weight) best = { at: first.from, weight }
  })
  if (line.length <= MAX_EXCERPT_CHARS) return [0, line.length]
  const from = toWordStart(line, Math.min(best.at, Math.max(0, best.at - CHARS_BEFORE)), best.at)
  return [from, from + cutText(line.slice(from), MAX_EXCERPT_CHARS).length]
}

/** The beginning of the next word, no later than `latest`. */
function toWordStart(line: string, from: number, latest: number): number {
  if (from === 0) return 0
  const space = line.indexOf(' ', from - 1)
  if (space !== -1 && space < latest) return space + 1
  // Never in the middle of a character.
  return /[\udc00-\udfff]/.test(line[from] ?? '') ? from + 1 : from
}

function toParts(line: string, matches: readonly Match[], from: number, to: number): readonly ExcerptPart[] {
  const parts: ExcerptPart[] = []
  let at = from
  for (const match of matches) {
    const begin = Math.max(match.from, at)
    const end = Math.min(match.to, to)
    if (begin >= end) continue
    const last = parts.at(-1)
    if (begin > at) parts.push({ text: line.slice(at, begin), isMatch: false })
    // Neighbours that overlap are one mark.
    if (begin === at && last?.isMatch)
      parts[parts.length - 1] = { text: last.text + line.slice(begin, end), isMatch: true }
    else parts.push({ text: line.slice(begin, end), isMatch: true })
    at = end
  }
  if (at < to) parts.push({ text: line.slice(at, to), isMatch: false })
  return parts
}
