import { placesOf } from './words.ts'

/** How people say a dot and an at sign. */
const DOT = 'dot punkt point punto ponto точка titik نقطة डॉट ডট 点 점 ドット'.split(' ')
const AT = 'at ät klammeraffe arobase arroba chiocciola собака 아트 골뱅이 アット'.split(' ')

const spoken = (words: readonly string[]): string =>
  `[\\s([{]*(?<!\\p{L})(?:${words.join('|')})(?!\\p{L})[\\s)\\]}]*`
/** Scripts without spaces have letters on both sides. */
const unspaced = (words: readonly string[]): string =>
  `\\s*(?:${words.filter((word) => /[^\p{sc=Latin}\p{sc=Cyrl}\p{sc=Arab}]/u.test(word)).join('|')})\\s*`

const SIGNS: ReadonlyMap<string, string> = new Map([
  // A full stop with a space behind it ends a sentence, so a written dot stands between two letters.
  ['.', `(?:\\.|${spoken(DOT)}|${unspaced(DOT)})`],
  ['@', `(?:@|${spoken(AT)}|${unspaced(AT)})`],
])
/** A hyphen or another sign: written, left out, or said in a word. */
const ANY_SIGN = '(?:[-_+/]|\\s+(?:\\p{L}{1,14}\\s+)?)'

const MAX_CHARS = 200
const MAX_PARTS = 24

/** An address as it is compared: without its scheme, `www.` and a slash at the end, in lower case. */
const toBare = (address: string): string =>
  address
    .trim()
    .toLowerCase()
    .replace(/^(?:https?:\/\/)?(?:www\.)?/, '')
    .replace(/\/$/, '')

/** Whether a text in lower case contains an address letter by letter, and not as a part of a longer name. */
export function writesAddress(text: string, address: string): boolean {
  const bare = toBare(address)
  const isMail = bare.includes('@')
  for (const at of placesOf(bare, text)) {
    const before = text.slice(Math.max(0, at - 4), at)
    const isStart = before === 'www.' || !(isMail ? /[\p{L}\p{N}._%+-]$/u : /[\p{L}\p{N}.-]$/u).test(before)
    if (
      isStart &&
      !/^(?:[\p{L}\p{N}@-]|\.[\p{L}\p{N}])/u.test(text.slice(at + bare.length, at + bare.length + 4))
    )
      return true
  }
  return false
}

/** What a text in lower case matches when it dictates an address: "lena at nordlicht dot example". */
export function toDictated(address: string): RegExp | undefined {
  const bare = toBare(address)
  const parts = bare.match(/[\p{L}\p{N}]+|[^\p{L}\p{N}]+/gu) ?? []
  if (bare.length > MAX_CHARS || parts.length > MAX_PARTS || !bare.includes('.')) return undefined
  if (!parts.every((part) => /^(?:[\p{L}\p{N}]+|[@._+/-])$/u.test(part))) return undefined
  const patterns = parts.map((part) => (/^[\p{L}\p{N}]/u.test(part) ? part : (SIGNS.get(part) ?? ANY_SIGN)))
  return new RegExp(`(?<![\\p{L}\\p{N}.@-])${patterns.join('')}(?![\\p{L}\\p{N}@-]|\\.[\\p{L}\\p{N}])`, 'u')
}
