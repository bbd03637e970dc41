import { startsWord } from './characters.ts'
import { isFiller } from './placeholder.ts'
import { JUDGED_CHARS } from './read-value.ts'
import type { Finder } from './site.ts'
import { toMark } from './span.ts'
import type { TokenFormat } from './token-formats.ts'
import { isWordy, shapeOf } from './value-shape.ts'

const MADE_UP = /your[-_]|[-_]here|example|placeholder|redacted/

/** Finds tokens of one format where its beginning `start` was met. */
export function createTokenFinder(format: TokenFormat, start: string): Finder {
  const body = new RegExp(format.body, 'y')
  const mark = toMark(format.kind)
  const key = Symbol(format.kind)
  return (site) => {
    const { text, start: at, end, seen } = site
    // The walk takes upper and lower case for the same, a format does not.
    if (!text.startsWith(start, at)) return 0
    const from = format.before ? behind(text, at, format.before) : at
    if (from === undefined || (!format.address && !format.before && !startsWord(text, at))) return 0
    // A long run refused once is refused for every beginning inside it.
    if (end < (seen.get(key) ?? 0)) return 0
    const bodyEnd = endOfBody(body, text, end)
    if (bodyEnd === undefined) return 0
    const stop = trimEnd(text, end, bodyEnd)
    if (isMadeUp(text.slice(end, Math.min(stop, end + JUDGED_CHARS)), format)) {
      seen.set(key, stop)
      return 0
    }
    return site.hide(format.address ? end : from, stop, mark)
  }
}

/** No token is longer. A pattern that is asked about megabytes at once overflows the stack of its engine. */
const MAX_TOKEN_CHARS = 64 * 1024
const TOKEN_CHARACTER = /[\w+/=.-]/

/** Where what follows a beginning ends. A run that is longer than any token belongs to it as a whole. */
function endOfBody(body: RegExp, text: string, start: number): number | undefined {
  const window = text.length - start > MAX_TOKEN_CHARS ? text.slice(start, start + MAX_TOKEN_CHARS) : text
  const shift = window === text ? 0 : start
  body.lastIndex = start - shift
  if (!body.test(window)) return undefined
  let end = body.lastIndex + shift
  if (end < start + MAX_TOKEN_CHARS) return end
  while (TOKEN_CHARACTER.test(text.charAt(end))) end++
  return end
}

function behind(text: string, at: number, before: NonNullable<TokenFormat['before']>): number | undefined {
  const isExact = before.min === before.max
  if (isExact && before.character.test(text.charAt(at - before.max - 1))) return undefined
  let from = at
  while (at - from <= before.max && before.character.test(text.charAt(from - 1))) from--
  const length = at - from
  // The letter behind a backslash belongs to an escape, not to the token.
  const cutsEscape = text.charAt(from - 1) === '\\' && !startsWord(text, from)
  return length >= before.min && length <= before.max && !cutsEscape ? from : undefined
}

/** A full stop or dash at the end belongs to the sentence, five dashes to the frame of a key. */
function trimEnd(text: string, from: number, stop: number): number {
  const frame = text.slice(from, stop).indexOf('-----')
  let end = frame === -1 ? stop : from + frame
  while (end > from && '.-'.includes(text.charAt(end - 1))) end--
  return end
}

function isMadeUp(body: string, format: TokenFormat): boolean {
  if (body.length > 6 && (isFiller(body) || MADE_UP.test(body))) return true
  return format.common === true && isWordy(shapeOf(body))
}
