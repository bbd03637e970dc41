import { BANK_ACCOUNT } from '../turn/tool/address-shape.ts'
import { placesOf, toKey, toWords } from './words.ts'

// Every part is bounded and starts where the part before it cannot go on, so the time is linear.
const ADDRESS =
  /[a-z][a-z0-9+.-]{1,15}:\/\/[^\s"'<>()[\]{}|]{1,2000}|[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}|(?<![\p{L}\p{N}.@-])[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){0,8}\.\p{L}{2,24}(?:\/[^\s"'<>()[\]{}|]{0,2000})?(?![\p{L}\p{N}])/giu

const MAX_SCANNED_CHARS = 200_000
const MAX_FOUND = 200

/** The mail addresses, web addresses and bank accounts in a text. At most 200, from the first 200,000 characters. */
export function findAddresses(text: string): string[] {
  const scanned = text.slice(0, MAX_SCANNED_CHARS)
  const found = new Set<string>()
  for (const pattern of [ADDRESS, BANK_ACCOUNT]) {
    for (const [match] of scanned.matchAll(pattern)) {
      if (found.size >= MAX_FOUND) return [...found]
      found.add(match.replace(/(?<![.,;:!?])[.,;:!?]+$/, ''))
    }
  }
  return [...found]
}

/** Whether a value as a whole is a web address or a host name. */
export function isWebAddress(value: string): boolean {
  const text = value.trim()
  if (/\s/.test(text) || text.length > 4000) return false
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(text) || /^[^@/?#]+\.[^@/?#.]{2,}(?:[/?#]|$)/.test(text)
}

/** Whether a value is a web address or a name with letters behind its last dot, and no amount such as `12.50`. */
export const isHostOrUrl = (value: string): boolean =>
  isWebAddress(value) && !/^[^/]*\.\d+$/.test(value.trim())

/** A web address without its scheme and a slash at the end. */
export const toBareLink = (value: string): string =>
  value
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/$/, '')

/**
 * Whether a text contains an address as a whole, letter by letter: punctuation, case and where a link is cut off can carry
 * data, too. Its scheme may be left out.
 */
export function standsIn(value: string, text: string): boolean {
  const bare = toBareLink(value)
  for (const at of placesOf(bare, text)) {
    const isStart = /(?:^|https?:\/\/|[^\p{L}\p{N}.@/:%_-])$/iu.test(text.slice(Math.max(0, at - 8), at))
    const after = text.slice(at + bare.length, at + bare.length + 8)
    if (isStart && /^\/?[.,;:!?*`\\]*(?:[\s"'<>)\]}|]|$)/.test(after)) return true
  }
  return false
}

/** A web address in its parts. `host` is what the request really goes to, without user information. */
export interface WebAddress {
  readonly host: string
  /** Path, query and fragment, decoded. */
  readonly rest: string
}

/** Reads a web address. `undefined` when it is none. */
export function parseWebAddress(value: string): WebAddress | undefined {
  const text = value.trim()
  try {
    const url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`)
    return { host: url.hostname, rest: decode(`${url.username} ${url.pathname}${url.search}${url.hash}`) }
  } catch {
    return undefined
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return text
  }
}

const PREFIXES = new Set(['http', 'https', 'www', 'mailto'])

/** The key of an address without its scheme, so that `https://www.a.example/` equals `a.example`. */
export function toAddressKey(value: string): string {
  const words = toWords(value)
  let start = 0
  while (start < words.length - 1 && PREFIXES.has(words[start]!)) start++
  return start === 0 ? toKey(value) : words.slice(start).join(' ')
}
