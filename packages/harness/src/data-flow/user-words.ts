import { toAddressKey } from './addresses.ts'
import { toDictated, writesAddress } from './said-address.ts'
import { hasKey, joinGroups, TOKEN, toWords, withGroups } from './words.ts'

const MAX_CHARS = 1_000_000
/** Everything the user said in a thread: the only text that is trusted as an instruction. */
export class UserWords {
  /** In lower case. */
  readonly #texts: string[] = []
  readonly #utterances: string[] = []
  readonly #words = new Set<string>()
  readonly #stems = new Set<string>()
  readonly #tokens = new Set<string>()
  #chars = 0

  /** Text above the limit is not kept, so values in it are not trusted. */
  add(text: string): void {
    this.#chars += text.length
    if (this.#chars > MAX_CHARS) return
    this.#texts.push(text.toLowerCase())
    const words = toWords(text)
    this.#utterances.push([...words, ...joinGroups(words)].join(' '))
    for (const [token] of text.matchAll(TOKEN)) this.#tokens.add(token)
    for (const word of withGroups(words)) this.#words.add(word)
    for (const word of words) this.#stems.add(stem(word))
  }

  has(key: string): boolean {
    return this.#utterances.some((utterance) => hasKey(utterance, key))
  }

  /** Whether the user wrote this address letter by letter, but for case, or dictated it. */
  hasAddress(address: string): boolean {
    if (this.#texts.some((text) => writesAddress(text, address))) return true
    // A pattern is costly to make, and most addresses have a word that the user never said.
    if (
      !toAddressKey(address)
        .split(' ')
        .every((word) => this.#words.has(word))
    )
      return false
    const dictated = toDictated(address)
    return dictated !== undefined && this.#texts.some((text) => dictated.test(text))
  }

  /** Whether the user wrote this run of letters and digits, in this case. */
  hasToken(token: string): boolean {
    return this.#tokens.has(token)
  }

  hasWord(word: string): boolean {
    return this.#words.has(word)
  }

  /** How many of the words the user said, in any form: 0 to 1. Short words do not count. */
  share(words: readonly string[]): number {
    const long = words.filter((word) => word.length >= 3 || /\p{N}/u.test(word))
    if (long.length === 0) return 0
    return long.filter((word) => this.#stems.has(stem(word))).length / long.length
  }

  /** Whether one of the words is a telling word of the user: long, or with a digit. */
  relates(words: readonly string[]): boolean {
    return words.some((word) => (word.length >= 4 || /\p{N}/u.test(word)) && this.#stems.has(stem(word)))
  }
}

/** The beginning of a word, so that plural and inflected forms of most languages compare equal. */
const stem = (word: string): string =>
  word.length > 5 && !/\p{N}/u.test(word)
    ? word.slice(0, Math.max(5, word.length - 3))
    : word.replace(/s$/, '')
