import { isDigit } from './characters.ts'
import { isPlaceholder } from './placeholder.ts'
import { JUDGED_CHARS } from './read-value.ts'
import type { Finder, Site } from './site.ts'
import { MARK_START } from './span.ts'
import { isWordy, shapeOf } from './value-shape.ts'

const AT = 64
const COLON = 58
const ENDS_AUTHORITY = new Uint8Array(128)
for (let code = 0; code <= 32; code++) ENDS_AUTHORITY[code] = 1
for (const sign of '"\'`<>/?#\\') ENDS_AUTHORITY[sign.charCodeAt(0)] = 1

/** Whether a character may stand before the path of a URL, as it should be written. */
const isAuthority = (code: number): boolean => (code < 128 ? ENDS_AUTHORITY[code] === 0 : code < 0x20_00)

/** The same with raw slashes, question and hash signs, which a password ought not to hold but does. */
const RAW_AUTHORITY = /(?:(?!:\/\/)[^\s"'`<>\\\u2000-\uFFFF]|\\\\|\\(?![nrtu"'`\\/])){0,256}/y
const ENCODED = /[\w.~%-]{0,48}?%3A((?:(?!%40|%2F)[\w.~%!*()-]){1,128})%40/iy
const ORACLE = /[\w$]{1,40}\/([^\s"'`<>@\\]{1,128})@/y
const MAX_CHARS = 4096

/** Words that documents put where a password goes. */
const DOCUMENTED = /^(?:pass(?:word|wd)?|pwd|pw|secret|user(?:name)?|my[-_]?pass(?:word)?|your.*)$/i

/** Finds the password, or the key in place of a user, behind a `://`. */
export const findUrlPassword: Finder = (site) => {
  const { text, end } = site
  let colon = -1
  let at = -1
  let stop = end
  // Most URLs hold neither, so their host is read without making a string of it.
  for (; stop - end <= MAX_CHARS; stop++) {
    const code = text.charCodeAt(stop)
    if (code === AT) at = stop
    else if (code === COLON && colon === -1) colon = stop
    else if (!isAuthority(code)) break
  }
  if (at === -1) return colon === -1 ? 0 : findRawPassword(site, colon, stop)
  if (stop - end > MAX_CHARS || text.slice(end, stop).includes(MARK_START)) return 0
  if (colon !== -1 && colon < at) {
    return hide(site, colon + 1, text.slice(colon + 1, lastAt(site, at, stop)), text.slice(end, colon))
  }
  const user = text.slice(end, at)
  return isKey(user) ? hide(site, end, user) : 0
}

/**
 * Where a password ends that may hold raw signs. What follows `@` is a host, and hosts of databases are not followed
 * by `#` or by a second `@`; on the web a path may hold one.
 */
function lastAt({ text, start }: Site, at: number, stop: number): number {
  const isWeb = /https?$/i.test(text.slice(Math.max(0, start - 5), start))
  const ends = text.charAt(stop)
  const mayGoOn =
    ends === '#' || ends === '?' || (ends === '/' && !isWeb && /^[^.:]*$/.test(text.slice(at, stop)))
  if (!mayGoOn) return at
  RAW_AUTHORITY.lastIndex = at + 1
  const raw = RAW_AUTHORITY.exec(text)?.[0] ?? ''
  const later = raw.lastIndexOf('@')
  return later > 0 && /^[\w.-]+(?::\d+)?(?:[/?#,]|$)/.test(raw.slice(later + 1)) ? at + 1 + later : at
}

/** A port is a number: anything else behind the colon, cut short by `/`, `?` or `#`, is a raw password. */
function findRawPassword(site: Site, colon: number, stop: number): number {
  const { text, end } = site
  if (isNumber(text.slice(colon + 1, stop))) return 0
  RAW_AUTHORITY.lastIndex = colon + 1
  const raw = RAW_AUTHORITY.exec(text)?.[0] ?? ''
  const at = raw.lastIndexOf('@')
  return at <= 0 || raw.includes(MARK_START)
    ? 0
    : hide(site, colon + 1, raw.slice(0, at), text.slice(end, colon))
}

/** Finds a password in a URL that is itself part of another one: `%3A%2F%2Fuser%3Apassword%40host`. */
export const findEncodedUrlPassword: Finder = (site) => {
  ENCODED.lastIndex = site.end
  const password = ENCODED.exec(site.text)?.[1]
  return password === undefined ? 0 : hide(site, ENCODED.lastIndex - 3 - password.length, password)
}

/** Finds the password of `user/password@host` behind `jdbc:oracle:thin:` and in calls of sqlplus. */
export const findOraclePassword: Finder = (site) => {
  ORACLE.lastIndex = site.end
  const password = ORACLE.exec(site.text)?.[1]
  return password === undefined ? 0 : hide(site, ORACLE.lastIndex - 1 - password.length, password)
}

function hide(site: Site, start: number, password: string, user?: string): number {
  if (password === user || DOCUMENTED.test(password) || isPlaceholder(password)) return 0
  site.hide(start, start + password.length)
  // The user in front may be a token as well, so the walk goes on there.
  return 0
}

/** A user that is no name but a key, as in `https://<key>@host`. */
function isKey(user: string): boolean {
  const shape = shapeOf(user.slice(0, JUDGED_CHARS))
  return shape.length >= 20 && shape.digits > 0 && shape.signs === 0 && !isWordy(shape)
}

function isNumber(value: string): boolean {
  for (let at = 0; at < value.length; at++) if (!isDigit(value.charCodeAt(at))) return false
  return true
}
