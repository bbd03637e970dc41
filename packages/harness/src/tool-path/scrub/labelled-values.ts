import { BACKSLASH, isAlphanumeric, isHex, isNameCharacter } from './characters.ts'
import { hideValue } from './hide-value.ts'
import { readLink } from './read-link.ts'
import type { NameKind } from './secret-names.ts'
import { isHarmlessOwner, kindOfName, ownsKey } from './secret-names.ts'
import type { Finder, Site } from './site.ts'

/** Parts of words whose names may promise a secret. Each of them leads to `findLabelled`. */
export const LABEL_KEYWORDS: readonly string[] =
  `pass pwd pswd kennwort secret token key cred auth psk bindpw pw= pw: sessid sessionid connect.sid _session
  remember_ dockerconfigjson mnemonic _phrase phrase: signature sig= code= code%3d _code verifier assertion ticket=
  jwt hmac=`.split(/\s+/)

const MAX_NAME_CHARS = 64
/** A name that goes on for longer behind its keyword may hold a token itself, so the walk must not leave it out. */
const LONGEST_TAIL = 12

/** Finds the value that belongs to a name like `password`, however the two are tied together. */
export const findLabelled: Finder = (site) => {
  const { text } = site
  // One name often holds several keywords: `aws_secret_access_key`.
  if (site.start < site.namesUntil) return 0
  const nameEnd = endOfName(text, site.start)
  site.namesUntil = nameEnd
  if (!mayLink(text, nameEnd)) return 0
  const nameStart = startOfName(text, site.start)
  const link = readLink(text, nameStart, nameEnd)
  if (!link) return 0
  const kind = kindAt(site, nameStart, nameEnd)
  if (!kind) return 0
  const stop = hideValue(site, link, kind)
  return nameEnd - site.end <= LONGEST_TAIL ? stop : 0
}

function kindAt({ text, names }: Site, start: number, end: number): NameKind | undefined {
  const name = text.slice(start, end)
  let kind = names.get(name)
  if (kind === undefined) {
    kind = kindOfName(name) ?? 'nothing'
    names.set(name, kind)
  }
  const spaced = text.charAt(start - 1) === ' '
  if (kind === 'token' && spaced) return wordsBefore(text, start).some(isHarmlessOwner) ? undefined : 'token'
  if (kind === 'parameter') {
    if (spaced && name.length === 3) return ownsSpacedKey(text, start) ? 'token' : undefined
    return isInUrl(text, start, end) ? 'parameter' : undefined
  }
  return kind === 'nothing' ? undefined : kind
}

/** Whether `key` follows on `API`, `secret access` or the like. */
function ownsSpacedKey(text: string, start: number): boolean {
  const words = wordsBefore(text, start)
  return words.some(ownsKey) && !words.some(isHarmlessOwner)
}

function isInUrl(text: string, start: number, end: number): boolean {
  if (start > 0 && '?&#'.includes(text.charAt(start - 1))) return true
  // Signatures stand in headers as well.
  if (text.charAt(end) === '=' && text.slice(start, end).endsWith('ignature')) return true
  return ESCAPED_AMPERSAND.test(text.slice(Math.max(0, start - 6), start))
}

const ESCAPED_AMPERSAND = /(?:%(?:3f|26|23)|\\u0026|&amp;)$/i

/** Up to two words in front of a name, for `Next page token` and `secret access key`. */
function wordsBefore(text: string, start: number): readonly string[] {
  const words: string[] = []
  let end = start - 1
  while (words.length < 2) {
    let from = end
    while (end - from < 20 && isAlphanumeric(text.charCodeAt(from - 1))) from--
    if (from === end) break
    words.push(text.slice(from, end).toLowerCase())
    if (text.charAt(from - 1) !== ' ') break
    end = from - 1
  }
  return words
}

const LINKS = new Uint8Array(128)
for (const letter of ' \t:=>"\'`\\])|%&<*\u001B\r\n') LINKS[letter.charCodeAt(0)] = 1

/** A look at one character spares most words the rest. */
function mayLink(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return LINKS[code] === 1 || (code === DASH && text.charAt(at + 1) === '>')
  return '：＝→'.includes(text.charAt(at))
}

const DASH = 45
const DOT = 46
const PERCENT = 37

/** Names go on over dashes and dots only where another letter follows: `spring.datasource.password.` ends a sentence. */
function endOfName(text: string, at: number): number {
  let end = at
  const limit = at + MAX_NAME_CHARS
  while (end < limit) {
    const code = text.charCodeAt(end)
    if (isNameCharacter(code)) end++
    else if ((code === DASH || code === DOT) && isAlphanumeric(text.charCodeAt(end + 1))) end++
    else break
  }
  return end
}

function startOfName(text: string, at: number): number {
  let start = at
  const limit = Math.max(0, at - MAX_NAME_CHARS)
  while (start > limit) {
    const code = text.charCodeAt(start - 1)
    if (!isNameCharacter(code) && code !== DASH && code !== DOT) break
    start--
  }
  // The first letters may belong to an escape: `\npassword`, `%26token`.
  const before = text.charCodeAt(start - 1)
  if (before === BACKSLASH && start < at && 'nrt'.includes(text.charAt(start))) return start + 1
  const isEncoded = before === PERCENT && isHex(text.charCodeAt(start)) && isHex(text.charCodeAt(start + 1))
  return isEncoded && start + 2 <= at ? start + 2 : start
}
