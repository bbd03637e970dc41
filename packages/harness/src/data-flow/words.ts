// Scripts without spaces between words: each character counts as a word, so that a name is found inside a sentence.
const WORD =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]|[[\p{L}\p{N}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Thai}]]+/gv
/** A run of letters and digits as it is written. */
export const TOKEN = /[\p{L}\p{N}]+/gu
const MARKS = /[\p{M}\p{Cf}]/gu
const ASCII = /^[\x20-\x7e\s]*$/

/** Folds case, accents, width and invisible characters, so that two spellings of a value compare equal. */
function fold(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase()
  return text.normalize('NFKD').replaceAll(MARKS, '').toLowerCase()
}

/** The words of a text, folded: runs of letters and digits. Punctuation and spaces are dropped. */
export function toWords(text: string): string[] {
  // A line break that a tool printed as `\\n` is a space, not the letter n.
  const spaced = text.includes('\\') ? text.replaceAll(/\\[nrt]/g, ' ') : text
  return fold(spaced).match(WORD) ?? []
}

/** The words of a tool's name: `getHTTPStatus`, `users.list` and `send-mail` are split. */
export function toNameWords(name: string): string[] {
  return toWords(
    name
      .slice(0, MAX_NAME_CHARS)
      .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1 $2')
      .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2'),
  )
}

const MAX_NAME_CHARS = 200

export const singular = (word: string): string => word.replace(/s$/, '')

/** A value as its words with one space between them. Equal for every spelling with other punctuation or case. */
export function toKey(value: string): string {
  return toWords(value).join(' ')
}

/** Where a part begins in a text, each time it occurs. */
export function* placesOf(part: string, text: string): Generator<number> {
  if (part === '') return
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + 1)) yield at
}

/** A text without a value, however its signs and spaces are written. */
export function withoutValue(text: string, value: string): string {
  const wanted = toWords(value)
  if (wanted.length === 0 || !fold(text).includes(wanted[0]!)) return text
  const found = [...text.matchAll(WORD)]
  const words = found.map(([word]) => fold(word))
  let rest = ''
  let end = 0
  for (let at = 0; at + wanted.length <= words.length; at++) {
    if (!wanted.every((word, index) => words[at + index] === word)) continue
    const last = found[at + wanted.length - 1]!
    rest += `${text.slice(end, found[at]!.index)} `
    end = last.index + last[0].length
    at += wanted.length - 1
  }
  return rest + text.slice(end)
}

/** Whether the words of a key stand in a row inside other words. */
export function hasKey(words: string, key: string): boolean {
  return key !== '' && ` ${words} `.includes(` ${key} `)
}

const MIN_GROUPED = 10
const MAX_GROUP = 8

/**
 * Long numbers written in groups, such as `DE12 5001 0517 …`, joined into one word each. Groups are short words in a
 * row that contain a digit.
 */
export function joinGroups(words: readonly string[]): string[] {
  const joined: string[] = []
  let run = ''
  let groups = 0
  const close = () => {
    if (groups > 1 && run.length >= MIN_GROUPED && run.length <= 64) joined.push(run)
    run = ''
    groups = 0
  }
  for (const word of words) {
    if (isGroup(word)) {
      run += word
      groups++
    } else close()
  }
  close()
  return joined
}

const MAX_GROUPS = 20

/**
 * The words, and every number that neighbours make up: `88 41 22` also as `884122`. A time such as `10:30` makes up
 * none.
 */
export function withGroups(words: readonly string[]): string[] {
  const all = [...words]
  for (let start = 0; start < words.length; start++) {
    let joined = ''
    for (let at = start; at < start + MAX_GROUPS && at < words.length && isGroup(words[at]!); at++) {
      joined += words[at]!
      if (joined.length >= (at - start > 1 ? 4 : 6) && at > start) all.push(joined)
    }
  }
  return all
}

const isGroup = (word: string): boolean => word.length <= MAX_GROUP && /\d/.test(word)

/** A word that can be data: it has a digit and at least three characters. */
export const isDataWord = (word: string): boolean => word.length >= 3 && /\p{N}/u.test(word)
