import { soundOf } from './sound-of.ts'
import { rootOf, stemWord } from './stem-word.ts'
import type { Word } from './split-words.ts'

/** What a word is found by: itself, what its forms share, and its pieces, which also misspelt words and compounds share. */
export interface WordTerms {
  readonly whole: string
  readonly forms: readonly string[]
  readonly pieces: readonly string[]
}

const PIECE_CHARS = 3
const IS_HAN = /^\p{Script=Han}$/u

export function toWordTerms({ text, kind }: Word): WordTerms {
  if (kind === 'reference') return { whole: `r:${text}`, forms: [], pieces: [] }
  if (kind === 'unspaced') return toUnspacedTerms(text)
  // A syllable of Korean is written as one character: its letters are compared.
  const letters = Array.from(soundOf(text).normalize('NFD'))
  const root = rootOf(text)
  const marked = ['_', ...letters, '_']
  return {
    whole: `w:${text}`,
    forms: [`s:${stemWord(text.normalize('NFD'))}`, ...(root === undefined ? [] : [`k:${root}`])],
    pieces: letters.length < PIECE_CHARS ? [] : slide(marked, PIECE_CHARS).map((piece) => `p:${piece}`),
  }
}

/** Without spaces nobody knows where a word ends: two characters in a row stand for one. */
function toUnspacedTerms(text: string): WordTerms {
  const letters = Array.from(text)
  const characters = letters.filter((letter) => IS_HAN.test(letter))
  return {
    whole: `u:${text}`,
    forms: [],
    pieces: [...slide(letters, 2), ...(letters.length === 1 ? [] : characters)].map((piece) => `p:${piece}`),
  }
}

const slide = (letters: readonly string[], size: number): string[] =>
  Array.from({ length: Math.max(1, letters.length - size + 1) }, (_none, start) =>
    letters.slice(start, start + size).join(''),
  )
