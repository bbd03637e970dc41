import type { JsonObject, JsonValue } from '../../turn/json.ts'
import { isCosmetic } from './cosmetic-arguments.ts'
import { addTo, hashOf, mix, SEED } from './text-hash.ts'

/**
 * A hash of what arguments ask for. Cosmetic differences do not change it: order of keys and of lists, nonces,
 * empty options, how much of the answer is shown, a number written as text; and in short texts letter case, accents,
 * white space, punctuation, decorated paths, and the order of words in a phrase. Builds no text, since it is worked
 * out for every call.
 */
export function hashLoosely(value: JsonValue): number {
  if (typeof value === 'string') return hashText(value)
  if (typeof value !== 'object' || value === null) return hashText(String(value))
  // A sum does not depend on the order of its parts.
  let sum = 1
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) sum = (sum + mix(hashLoosely(item))) | 0
    return mix(sum)
  }
  const object = value as JsonObject
  const keys = Object.keys(object)
  for (const key of keys) {
    const item = object[key]
    if (item === undefined || isCosmetic(key, item, keys)) continue
    sum = (sum + mix(Math.imul(hashText(key), 0x27d4eb2f) ^ hashLoosely(item))) | 0
  }
  return mix(sum)
}

/** Longer texts are content, not names or questions: they are compared exactly. */
const LONGEST_PHRASE = 240

function hashText(text: string): number {
  return text.length > LONGEST_PHRASE ? hashOf(text) : hashWords(toPlain(text))
}

/** A phrase is the set of its words. In a path, with numbers, and in a name with points, their order counts. */
function hashWords(text: string): number {
  let anyOrder = 0
  let thisOrder = 0
  let fillers = 0
  let word = 0
  let hasSpace = false
  let hasPoint = false
  let isOrdered = false
  for (let index = 0; index <= text.length; index++) {
    const code = index < text.length ? text.charCodeAt(index) : SPACE
    if (isWordPart(code, text, index)) {
      if (isDigit(code)) isOrdered = true
      word = addTo(word === 0 ? SEED : word, toLower(code))
      continue
    }
    if (code <= SPACE) hasSpace ||= index < text.length
    else if (code === SLASH) isOrdered = true
    else if (code === POINT) hasPoint = true
    if (word === 0) continue
    if (FILLERS.has(word)) fillers = mix(fillers ^ word)
    else {
      anyOrder = (anyOrder + mix(word)) | 0
      thisOrder = mix(thisOrder ^ word)
    }
    word = 0
  }
  if (thisOrder === 0) return fillers
  return isOrdered || (hasPoint && !hasSpace) ? thisOrder : anyOrder
}

const SPACE = 32
const HYPHEN = 45
const POINT = 46
const SLASH = 47
const NO_BREAK_SPACE = 160

const isDigit = (code: number): boolean => code >= 48 && code <= 57
const toLower = (code: number): number => (code >= 65 && code <= 90 ? code | 32 : code)

type Role = 'word' | 'between words' | 'inside a number' | 'sign'

const ROLES: readonly Role[] = Array.from({ length: 128 }, (_, code): Role => {
  if (code <= SPACE || ';!?\'"()_/\\`'.includes(String.fromCharCode(code))) return 'between words'
  if ('.,:'.includes(String.fromCharCode(code))) return 'inside a number'
  return code === HYPHEN ? 'sign' : 'word'
})

const PUNCTUATION = new Set('“”‘’„«»–—…¿¡、。·•'.split('').map((mark) => mark.charCodeAt(0)))

/** A point or comma belongs to a word only inside a number, a hyphen only as the sign of one. */
function isWordPart(code: number, text: string, index: number): boolean {
  if (code >= 128) return !PUNCTUATION.has(code) && code !== NO_BREAK_SPACE
  const role = ROLES[code]!
  if (role === 'word' || role === 'between words') return role === 'word'
  if (!isDigit(text.charCodeAt(index + 1))) return false
  const before = index > 0 ? text.charCodeAt(index - 1) : SPACE
  return role === 'sign' ? before <= SPACE : isDigit(before)
}

function toPlain(text: string): string {
  let plain = text.trim()
  if (plain.includes('://')) plain = toPlainAddress(plain)
  for (let index = 0; index < plain.length; index++) {
    if (plain.charCodeAt(index) < 128) continue
    return plain.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  }
  return plain
}

const toPlainAddress = (address: string): string =>
  address
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .replace(/#[\w-]*$/, '')
    .replaceAll(/(?<=[?&])(?:(?:_|t|ts)=\d{8,}|(?:nonce|cb|cache_?bust(?:er)?|rand(?:om)?)=[\w.-]*)&?/gi, '')

/** Words that change nothing about what is asked. */
const FILLERS: ReadonlySet<number> = new Set(
  ['again', 'please', 'the'].map((filler) =>
    filler.split('').reduce((hash, letter) => addTo(hash, letter.charCodeAt(0)), SEED),
  ),
)
