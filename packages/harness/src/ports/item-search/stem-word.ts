// The article and what is written in front of it, then endings of number, gender and person.
const ARABIC_START = /^(?:[وف]?(?:[بك]?ال|لل)|[وف](?=.{4}))(?=.{2})/u
const ARABIC_END = /(?<=.{2})(?:ات|ون|ين|ان|ها|هم|يه|ه|ي)$/u
const IS_ARABIC = /^\p{Script=Arabic}/u
const STEM_CHARS = 5

/**
 * The part of a word that its other forms most likely share. In Arabic the word without its article and endings, elsewhere
 * its beginning: endings of number, case and person come last in the languages that are served here.
 */
export function stemWord(word: string): string {
  if (IS_ARABIC.test(word)) return word.replace(ARABIC_START, '').replace(ARABIC_END, '')
  const letters = Array.from(word)
  const kept = letters.length <= STEM_CHARS ? Math.max(3, letters.length - 1) : STEM_CHARS
  return letters.slice(0, kept).join('')
}

const ARABIC_VOWELS = /[اويئءؤ]/gu
const ROOT_CHARS = 3

/** What the singular and the broken plural of an Arabic word share: its consonants, where there are enough of them. */
export function rootOf(word: string): string | undefined {
  if (!IS_ARABIC.test(word)) return undefined
  const consonants = stemWord(word).replaceAll(ARABIC_VOWELS, '')
  return consonants.length < ROOT_CHARS ? undefined : consonants
}
