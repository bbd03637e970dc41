import { isAlphanumeric } from './characters.ts'
import { isRandom, looksSecret } from './looks-secret.ts'
import { isPlaceholder } from './placeholder.ts'
import { JUDGED_CHARS } from './read-value.ts'
import { kindOfName } from './secret-names.ts'
import type { Finder, Site } from './site.ts'
import { MARK_START, toMark } from './span.ts'
import { shapeOf } from './value-shape.ts'

const DOT = 46
const DISCORD_TAIL = /\.[\w-]{6,7}\.[\w-]{27,}/y
const DISCORD_HEAD = /[MNO][\w-]{20,30}$/

/** Finds a Discord bot token at the first of its two dots: an id in base64, a time, a signature. */
export const findDiscordToken: Finder = (site) => {
  const { text, start } = site
  if (text.charCodeAt(start + 7) !== DOT && text.charCodeAt(start + 8) !== DOT) return 0
  DISCORD_TAIL.lastIndex = start
  if (!DISCORD_TAIL.test(text)) return 0
  const head = DISCORD_HEAD.exec(text.slice(Math.max(0, start - 31), start))?.[0]
  if (head === undefined || isAlphanumeric(text.charCodeAt(start - head.length - 1))) return 0
  return site.hide(start - head.length, DISCORD_TAIL.lastIndex, toMark('discord-token'))
}

const JWK_VALUE = /"\w{1,2}\\{0,7}"[ \t]{0,4}:[ \t]{0,4}\\{0,7}"([\w-]{40,1400})\\{0,7}"/y

/** Finds the private numbers of a JSON web key at `"d"` and its like. */
export const findJwkNumber: Finder = (site) => {
  JWK_VALUE.lastIndex = site.start
  const value = JWK_VALUE.exec(site.text)?.[1]
  if (value === undefined || !isRandom(shapeOf(value.slice(0, JUDGED_CHARS)), 40)) return 0
  const start = site.text.indexOf(value, site.end)
  return site.hide(start, start + value.length)
}

const AWS_NEIGHBOUR =
  /[A-Z0-9]{16}[^\n\w]{1,8}(?:[\w ."':=-]{0,40}?[^\n\w+/])??([A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])/y

/** Finds the secret access key that stands on the same line as its key id. */
export const findAwsSecret: Finder = (site) => {
  AWS_NEIGHBOUR.lastIndex = site.end
  const secret = AWS_NEIGHBOUR.exec(site.text)?.[1]
  if (secret === undefined || !isRandom(shapeOf(secret), 40)) return 0
  const stop = AWS_NEIGHBOUR.lastIndex
  site.hide(stop - secret.length, stop, toMark('aws-secret-key'))
  return 0
}

const SQL_PASSWORD =
  /(?:[ \t]+with[ \t]+[\w"'-]{1,40})?[ \t]+by[ \t]+(?:password[ \t]+)?(?:'([^'"\n\\]{1,256})'|"([^"\n\\{}[\],:]{1,256})")/iy

/** Finds the password of `IDENTIFIED BY '…'`. */
export const findSqlPassword: Finder = (site) => {
  SQL_PASSWORD.lastIndex = site.end
  const [, single, double] = SQL_PASSWORD.exec(site.text) ?? []
  const password = single ?? double
  if (password === undefined || isPlaceholder(password)) return 0
  const stop = SQL_PASSWORD.lastIndex - 1
  return site.hide(stop - password.length, stop)
}

const AUTH_TUPLE = /["'][^"'\\\n]{0,64}["'][ \t]{0,2},[ \t]{0,2}["']([^"'\\\n]{1,256})(?=["'])/y
const SECURE_STRING = /[ \t]+(?:-String[ \t]+)?["']([^"'\\\n]{1,256})(?=["'])/iy

/** Finds the password of `auth=('user', 'password')`. */
export const findAuthTuple: Finder = (site) => hideGroup(site, AUTH_TUPLE)

/** Finds what PowerShell is about to protect with `ConvertTo-SecureString`. */
export const findSecureString: Finder = (site) => hideGroup(site, SECURE_STRING)

const PGPASS = /[^\s:"'\\]{1,64}:[^\s:"'\\]{1,64}:([^\s"'\\]{1,128})/y

/** Finds the password at the end of a pgpass line. */
export const findPgpass: Finder = (site) => hideGroup(site, PGPASS)

const UNSEAL = /[ \t]\d{1,3}:[ \t]{1,4}([^\s"'\\]{16,128})/y

/** Finds the shares of the master key that `vault operator init` prints. */
export const findUnsealKey: Finder = (site) => hideGroup(site, UNSEAL)

const NETRC = /[^\s"'\\]{1,64}(?:[ \t]{1,4}|\r?\n[ \t]{0,16})password[ \t]{1,4}([^\s"'\\]{1,256})/y
const SETTING = /[ \t]{1,4}"?([^\s"'\\]{1,256})/y
const DOCKERFILE = /([A-Za-z_]\w{1,60})[ \t]{1,4}"?([^\s"'=\\]{1,512})/y

/** Finds the password of a netrc entry at its `login`. */
export const findNetrcPassword: Finder = (site) => hideGroup(site, NETRC)

/** Finds the value of a setting that is written with nothing but a blank before it, as redis does. */
export const findPlainSetting: Finder = (site) => {
  const before = site.text.charAt(site.start - 1)
  return before === '' || before === '\n' ? hideGroup(site, SETTING) : 0
}

/** Finds a secret that a Dockerfile or a shell sets by `ENV NAME value`. */
export const findDockerfileSecret: Finder = (site) => {
  const { text, start, end } = site
  if (isAlphanumeric(text.charCodeAt(start - 1))) return 0
  DOCKERFILE.lastIndex = end
  const [, name = '', value = ''] = DOCKERFILE.exec(text) ?? []
  const kind = name === '' ? undefined : kindOfName(name)
  if (!kind || !looksSecret(value.slice(0, JUDGED_CHARS), kind, 'loose')) return 0
  return site.hide(DOCKERFILE.lastIndex - value.length, DOCKERFILE.lastIndex)
}

function hideGroup(site: Site, pattern: RegExp): number {
  pattern.lastIndex = site.end
  const [whole = MARK_START, secret = ''] = pattern.exec(site.text) ?? []
  if (whole.includes(MARK_START) || isPlaceholder(secret)) return 0
  site.hide(pattern.lastIndex - secret.length, pattern.lastIndex)
  // What stands in between was skipped, and may hold a secret of its own.
  return 0
}
