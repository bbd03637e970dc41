import type { ThreadHit } from '../../store.ts'
import type { ThreadTable } from './tables.ts'

const CHARS_BEFORE = 40
const CHARS_AFTER = 120

interface Match {
  readonly text: string
  readonly at: number
}

/** Threads that hold a word beginning with each of the `words`, wherever in the thread; best first. */
export function searchThreads(threads: readonly ThreadTable[], words: string): ThreadHit[] {
  const wanted = [...new Set([...wordsOf(words)].map(({ word }) => word))]
  if (wanted.length === 0) return []
  const hits: { readonly hit: ThreadHit; readonly score: number }[] = []
  for (const thread of threads) {
    const found = find(thread, wanted)
    if (!found) continue
    hits.push({ hit: { thread: { ...thread.row }, excerpt: toExcerpt(found.first) }, score: found.score })
  }
  hits.sort((a, b) => b.score - a.score || b.hit.thread.updatedAt - a.hit.thread.updatedAt)
  return hits.map(({ hit }) => hit)
}

function find(thread: ThreadTable, wanted: readonly string[]): { first: Match; score: number } | undefined {
  const missing = new Set(wanted)
  let first: Match | undefined
  let score = 0
  // The title comes last: an excerpt that repeats it is of no use.
  for (const text of [...thread.searchable, thread.row.title]) {
    let wordCount = 0
    let matchCount = 0
    for (const { word, at } of wordsOf(text)) {
      wordCount++
      for (const part of wanted) {
        const offset = findIn(word, part)
        if (offset < 0) continue
        missing.delete(part)
        matchCount++
        first ??= { text, at: at + offset }
      }
    }
    // A short text that is about it beats a long one that mentions it.
    if (matchCount > 0) score += matchCount / Math.log2(wordCount + 2)
  }
  return first && missing.size === 0 ? { first, score } : undefined
}

function* wordsOf(text: string): Generator<{ readonly word: string; readonly at: number }> {
  for (const match of text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)) {
    const word = fold(match[0])
    if (word !== '') yield { word, at: match.index }
  }
}

const UNSPACED =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u

/** Where in the word it is, or -1. Where no spaces are written, a word may begin anywhere. */
function findIn(word: string, part: string): number {
  if (word.startsWith(part)) return 0
  return UNSPACED.test(part) ? word.indexOf(part) : -1
}

/** Without case and accents. */
function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
}

function toExcerpt({ text, at }: Match): string {
  const from = Math.max(0, at - CHARS_BEFORE)
  const to = Math.min(text.length, at + CHARS_AFTER)
  // Never begins in the middle of a word; one that ends there is marked as cut anyway.
  const before = from === 0 ? text.slice(0, at) : `…${text.slice(from, at).replace(/^\S+/u, '')}`
  const after = to === text.length ? text.slice(at) : `${text.slice(at, to)}…`
  return `${before}${after}`
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}
