import { toOneLine } from '../../shared/threads/search-words.ts'
import { foldWord, wordsIn } from './fold-words.ts'
import type { Term } from './search.ts'

const WORDS_AROUND = 12
const CHARS_BEFORE = 40
const MAX_CHARS = 160

/** The words around the first match, on one line. */
export function toExcerpt(text: string, terms: readonly Term[]): string {
  const part = terms.find(({ word, isIndexed }) => !isIndexed && text.includes(word))
  if (part) {
    const from = Math.max(0, text.indexOf(part.word) - CHARS_BEFORE)
    return toOneLine(text.slice(from, from + MAX_CHARS).toWellFormed())
  }
  return toOneLine(aroundWord(text, terms))
}

function aroundWord(text: string, terms: readonly Term[]): string {
  const before: number[] = []
  let wordsLeft = -1
  let end = 0
  for (const match of wordsIn(text)) {
    end = match.index + match[0].length
    if (wordsLeft > 0) {
      if (--wordsLeft === 0) break
    } else if (terms.some(({ word, isIndexed }) => isIndexed && foldWord(match[0]).startsWith(word))) {
      wordsLeft = WORDS_AROUND
      before.push(match.index)
    } else {
      before.push(match.index)
      if (before.length > WORDS_AROUND) before.shift()
    }
  }
  if (wordsLeft === -1) return text.slice(0, MAX_CHARS)
  const from = before[0] ?? 0
  // A text without spaces has very long words.
  return text.slice(from, Math.min(end, from + 2 * MAX_CHARS))
}
