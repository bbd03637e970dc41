import type { Tie } from './looks-secret.ts'
import { isRandom, looksSecret } from './looks-secret.ts'
import type { Link } from './read-link.ts'
import type { Value } from './read-value.ts'
import { endOfJudged, endOfValue, readValue } from './read-value.ts'
import { isFiller } from './placeholder.ts'
import type { NameKind } from './secret-names.ts'
import type { Site } from './site.ts'
import { toMark } from './span.ts'
import type { Shape } from './value-shape.ts'
import { isWordy, shapeOf } from './value-shape.ts'

/** Shorter values are not looked at. */
const MIN_CHARS: Readonly<Record<NameKind, number>> = {
  password: 4,
  'short password': 6,
  phrase: 4,
  'account pair': 4,
  token: 8,
  authorization: 8,
  account: 8,
  vague: 16,
  parameter: 16,
}
const USER = /[\w.@+-]{1,64}[ \t]{0,2}[:/][ \t]{0,2}/y
const SCHEME =
  /(?:bearer|basic|token|bot|apikey|api-key|ssws|oauth|digest|negotiate|key|genie ?key|sso-key)(?:[ \t]|%20|\+){1,4}/iy

/** Hides the value behind a link if it is what its name promises. Answers where it ends, 0 if nothing was hidden. */
export function hideValue(site: Site, link: Link, kind: NameKind): number {
  const { text } = site
  const value = readValue(text, link.valueAt)
  if (value.end === value.start || !fits(link, kind, value)) return 0
  const core = coreOf(text, value, kind)
  if (!core || core.end - core.start < MIN_CHARS[core.kind]) return 0
  if (text.startsWith('$(', core.start)) return 0 // what a command will print, not what it printed
  const tie: Tie = link.tie === 'prose' || value.quote === '' ? link.tie : 'quoted'
  // The words of a seed phrase go on to the end of the line.
  const line = kind === 'phrase' && tie === 'loose' ? endOfLine(text, core.start) : undefined
  const judged = text.slice(core.start, line ?? core.end)
  if (link.needs && !isPlain(shapeOf(judged), link.needs, kind)) return 0
  if (!looksSecret(judged, core.kind, tie)) {
    // In a long run of the same few letters every name would be followed by the same again.
    if (isFiller(judged) && judged.length > 32) site.namesUntil = core.start + 32
    return 0
  }
  const stop = line ?? endOfValue(text, core.start, value.quote)
  return site.hide(core.start, stop, toJsonMark(text, link, value, stop))
}

/** Whether a value of this kind may stand behind such a link at all. */
function fits(link: Link, kind: NameKind, { quote }: Value): boolean {
  if (quote !== '' && quote === link.closes) return false
  if (link.tie === 'prose' && kind === 'short password') return false
  if (link.needs === 'quoted') return quote !== ''
  return link.needs !== 'password' || kind === 'password' || kind === 'phrase'
}

/** The secret part of a value: without the scheme of a header, without the user of an account. */
function coreOf(
  text: string,
  { start, end, quote }: Value,
  kind: NameKind,
): { readonly start: number; readonly end: number; readonly kind: NameKind } | undefined {
  if (kind === 'password') return { start, end, kind }
  const prefix = kind === 'account pair' ? USER : SCHEME
  prefix.lastIndex = start
  const isPrefixed = prefix.test(text) && (quote === '' || prefix.lastIndex <= end)
  if (!isPrefixed) return kind === 'account pair' ? undefined : { start, end, kind }
  const from = prefix.lastIndex
  const to = endOfJudged(text, from, quote)
  if (kind === 'account pair') return { start: from, end: to, kind: 'short password' }
  return { start: from, end: to, kind: kind === 'account' ? 'authorization' : kind }
}

/** Whether a value is clearly a secret, for links that prove little. */
function isPlain(shape: Shape, needs: Link['needs'], kind: NameKind): boolean {
  if (needs === 'password') return true
  const wordy = isWordy(shape)
  const isOneWord = shape.parts === 1 && shape.length >= 8 && shape.letters > 0
  if (needs === 'striking') {
    if (isRandom(shape, 24)) return true
    return isOneWord && !wordy && (shape.digits > 0 || (shape.words > 1 && shape.length >= 10))
  }
  if (isRandom(shape, 16)) return true
  return isOneWord && (shape.digits > 0 || (kind === 'password' && !wordy && shape.length >= 12))
}

/** A mark in place of a bare number would not be JSON any more, so it gets the quotes its name has. */
function toJsonMark(text: string, { quote, tie }: Link, value: Value, stop: number): string {
  const isBare = quote !== '' && value.quote === '' && tie !== 'prose'
  return isBare && /[\s,}\]\\]|^$/.test(text.charAt(stop)) ? `${quote}${toMark()}${quote}` : toMark()
}

function endOfLine(text: string, at: number): number {
  return at + (/[\r\n"'\\]|$/.exec(text.slice(at, at + 512))?.index ?? 0)
}
