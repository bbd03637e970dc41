import { startsWord } from './characters.ts'
import { isAccount, isRandom } from './looks-secret.ts'
import { isPlaceholder } from './placeholder.ts'
import { JUDGED_CHARS } from './read-value.ts'
import type { Finder, Site } from './site.ts'
import { toMark } from './span.ts'
import { isWordy, shapeOf } from './value-shape.ts'

const BEARER = /(?:[ \t+]|%20|:[ \t]){1,4}((?:(?!-----)[A-Za-z0-9._~+/=%|-]){8,8192})/y
const BASIC = /(?:[ \t+]|%20){1,4}([A-Za-z0-9+/_-]{8,1024}={0,2})/y
const PART = /[\w-]*/y
const MORE_PARTS = /(?:\.[\w-]*){1,4}/y

/** Finds the token after a `bearer`, wherever that word stands. */
export const findBearer: Finder = (site) => {
  const { text, end, seen } = site
  if (end < (seen.get(findBearer) ?? 0)) return 0
  BEARER.lastIndex = end
  const token = BEARER.exec(text)?.[1]
  if (token === undefined) return 0
  seen.set(findBearer, BEARER.lastIndex)
  const start = BEARER.lastIndex - token.length
  const trimmed = token.replace(/[.,:;]{1,8}$/, '')
  const judged = trimmed.slice(0, JUDGED_CHARS)
  const shape = shapeOf(judged)
  if (shape.length < 8 || isWordy(shape) || isPlaceholder(judged)) return 0
  // `realm="api"` is a parameter of a challenge.
  if (trimmed.endsWith('=') && text.charAt(start + trimmed.length) === '"') return 0
  return site.hide(start, start + trimmed.length)
}

/** Finds `user:password` in base64 after the word `basic`. */
export const findBasic: Finder = (site) => {
  const { text, end, seen } = site
  if (end < (seen.get(findBasic) ?? 0)) return 0
  BASIC.lastIndex = end
  const account = BASIC.exec(text)?.[1]
  if (account === undefined) return 0
  seen.set(findBasic, BASIC.lastIndex)
  return isAccount(account) ? site.hide(BASIC.lastIndex - account.length, BASIC.lastIndex) : 0
}

/** Finds a JSON web token, also one that lost its end. A lone first part is a cursor or a document's example. */
export const findJwt: Finder = (site) => {
  const { text, start, end, seen } = site
  if (!text.startsWith('eyJ', start) || end < (seen.get(findJwt) ?? 0) || !startsWord(text, start)) return 0
  const firstEnd = matchEnd(PART, text, end)
  let stop = matchEnd(MORE_PARTS, text, firstEnd)
  while (text.charAt(stop - 1) === '.' && text.charAt(stop - 2) === '.') stop--
  // The second part may be empty in an encrypted token, which then goes on for long.
  const isLong = stop - firstEnd > (text.charAt(firstEnd + 1) === '.' ? 32 : 8)
  if (firstEnd - end >= 8 && isLong) return site.hide(start, stop, toMark('jwt'))
  seen.set(findJwt, stop)
  return 0
}

function matchEnd(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

const COOKIE_HEADER =
  /(?:\\{0,7}["']?,[ \t]{0,4}\\{0,7}["']value)?\\{0,7}["']?(?:[ \t]{0,4}[:=][ \t]{0,4}\[?|[ \t]+)\\{0,7}["']?/y
const COOKIE = /[ \t]*([^\s=;,"'\\[\]]{1,64})=(\\?"?)([^;,"'\s\\]*)\2(;|%3B)?/iy
const ATTRIBUTES =
  /^(?:path|domain|expires|max-age|samesite|secure|httponly|priority|partitioned|version|comment)$/i
const SESSION_NAMES =
  /sess|sid$|token|auth|jwt|remember|login|csrf|xsrf|secret|credential|sso|^id$|^__(?:host|secure)-/i
const PAIR_BEFORE = /(?:^|[\s"'`:,;\\[])([^\s=;,"'\\:[\]]{1,64})=("?)([^;"'\s\\]{0,4096})\2$/

/** Finds the telling values of a `Cookie:` header, all of them in one go. */
export const findCookies: Finder = (site) => {
  COOKIE_HEADER.lastIndex = site.end
  return COOKIE_HEADER.test(site.text) ? hideCookies(site, COOKIE_HEADER.lastIndex) : 0
}

/** Finds the same in the cookies a command is given: `curl -b "…"`. */
export const findCookieFlag: Finder = (site) => hideCookies(site, site.end)

function hideCookies(site: Site, from: number): number {
  const { text, seen } = site
  if (from < (seen.get(findCookies) ?? 0)) return 0
  COOKIE.lastIndex = from
  for (let pair = COOKIE.exec(text); pair; pair = COOKIE.exec(text)) {
    const [whole, name = '', quote = '', value = '', separator = ''] = pair
    const at = COOKIE.lastIndex
    hideCookie(site, name, value, at - separator.length - quote.length - value.length)
    seen.set(findCookies, at)
    if (separator === '' || whole === '') break
  }
  return 0
}

/** Finds the cookie in front of an attribute such as `; HttpOnly`, with or without its header. */
export const findSetCookie: Finder = (site) => {
  const { text, start } = site
  let from = start
  const limit = Math.max(0, start - 4096)
  while (from > limit && !'; \t\r\n,'.includes(text.charAt(from - 1))) from--
  const pair = PAIR_BEFORE.exec(text.slice(Math.max(0, from - 1), start))
  if (!pair) return 0
  const [, name = '', quote = '', value = ''] = pair
  hideCookie(site, name, value, start - quote.length - value.length)
  return 0
}

function hideCookie(site: Site, name: string, value: string, start: number): void {
  const judged = value.slice(0, JUDGED_CHARS)
  if (value.length < 6 || ATTRIBUTES.test(name) || isPlaceholder(judged)) return
  const shape = shapeOf(judged)
  const looksSecret = SESSION_NAMES.test(name) ? !isWordy(shape) || shape.digits > 1 : isRandom(shape, 16)
  if (looksSecret) site.hide(start, start + value.length)
}
