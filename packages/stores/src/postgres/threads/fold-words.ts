/** Longer ones are not indexed: no person types them. */
export const MAX_WORD_CHARS = 255

const WORD = /[\p{L}\p{N}\p{M}]+/gu

/** A word without case and accents, so that it is found however it is typed. */
export const foldWord = (word: string): string =>
  word
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .toLowerCase()

/** The words of a text, each once. */
export function toWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const [word] of text.matchAll(WORD)) {
    const folded = foldWord(word)
    if (folded !== '' && folded.length <= MAX_WORD_CHARS) words.add(folded)
  }
  return words
}

/** The words of a text in their order, with where they are. */
export const wordsIn = (text: string): IterableIterator<RegExpExecArray> => text.matchAll(WORD)
