import { BACKSLASH, isAlphanumeric } from './characters.ts'

/** Where a value stands in the text, and how it was written. */
export interface Value {
  readonly start: number
  readonly end: number
  /** The quotes around it, as written: `"`, `\"`, `%22`; empty for a bare value. */
  readonly quote: string
}

/** How far a value is read before it is judged; a value found secret is followed to its real end. */
export const JUDGED_CHARS = 160
/** Bare values have no blanks, so less of them tells as much. */
const JUDGED_BARE_CHARS = 64

const OPENING =
  // oxlint-disable-next-line no-control-regex
  /(?:\u001B\[[\d;]{0,8}m)?(?:(?:Some|Optional|Just)\(|string\(\d+\)[ \t]*|\[[ \t]{0,2}(?=\\{0,7}["']))?(?:[bBrRuUfF@$]{0,2}("""|'''|\\{0,7}["'`]|&quot;|&#34;|%22)|<!\[CDATA\[|[「『“‘«„]|base64:)?/y
const BLOCK = /[|>][+-]?[ \t]*\r?\n[ \t]+/y
/** A sign that ends a value when something like `name=` or `"name":` follows. */
const NEXT_FIELD =
  /(?:[,;|]|&(?:amp;)?)[ \t]{0,4}(?:$|[\r\n]|\\{0,7}["']|[\w.-]{1,40}[ \t]{0,2}(?:[=:]|%3D))/y

/** Reads the value that begins at `at`, quoted or bare, as far as it takes to judge it. */
export function readValue(text: string, at: number): Value {
  if (isBare(text, at)) return { start: at, end: endOfJudged(text, at, ''), quote: '' }
  BLOCK.lastIndex = at
  OPENING.lastIndex = BLOCK.test(text) ? BLOCK.lastIndex : at
  const quote = OPENING.exec(text)?.[1] ?? ''
  const start = OPENING.lastIndex
  return { start, end: endOfJudged(text, start, quote), quote }
}

/** Where the part of a value ends that is judged. */
export function endOfJudged(text: string, start: number, quote: string): number {
  return endOfValue(text, start, quote, quote === '' ? JUDGED_BARE_CHARS : JUDGED_CHARS)
}

/** Most values begin with a letter, and nothing has to be opened first; a bracket opens none. */
function isBare(text: string, at: number): boolean {
  if (text.charCodeAt(at) === BRACKET) return true
  if (!isAlphanumeric(text.charCodeAt(at)) || '"\'`'.includes(text.charAt(at + 1) || ' ')) return false
  return !'SOJsb'.includes(text.charAt(at)) || !WRAPPERS.some((wrapper) => text.startsWith(wrapper, at))
}

const BRACKET = 40
const WRAPPERS = ['Some(', 'Optional(', 'Just(', 'string(', 'base64:', 'br', 'bR']

/** Where a value ends that began at `start` inside `quote`. */
export function endOfValue(text: string, start: number, quote: string, limit = Infinity): number {
  const stop = Math.min(text.length, start + limit)
  if (quote === '') return endOfBare(text, start, stop)
  if (quote.startsWith('&') || quote.startsWith('%')) return endOfEncoded(text, start, stop, quote)
  const backslashes = quote.charCodeAt(0) === BACKSLASH ? quote.length - 1 : 0
  return endOfQuoted(
    text,
    start,
    stop,
    quote.charCodeAt(quote.length - 1),
    Math.ceil(Math.log2(backslashes + 1)),
  )
}

const NEWLINE = 10
const RETURN = 13
const DOUBLE_QUOTE = 34

/**
 * A string inside a string `level` times over opens and closes with 2^level - 1 backslashes before its quote. A quote
 * of an outer string ends that one, and so this one.
 */
function endOfQuoted(text: string, start: number, stop: number, sign: number, level: number): number {
  let backslashes = 0
  for (let at = start; at < stop; at++) {
    const code = text.charCodeAt(at)
    if (code === NEWLINE || code === RETURN) return at
    if (code === BACKSLASH) {
      backslashes++
      continue
    }
    if (code === sign || code === DOUBLE_QUOTE) {
      const closed = closedLevel(backslashes, level)
      // In single quotes a double one may be part of the value, unless it ends the JSON string around it.
      if (closed !== undefined && (code === sign || endsJsonString(text, at))) return at - (2 ** closed - 1)
    }
    backslashes = 0
  }
  // Half an escape must not stay behind.
  return stop - (stop < text.length ? 0 : backslashes)
}

/** The outermost string that a quote behind so many backslashes ends, if it is `level` or further out. */
function closedLevel(backslashes: number, level: number): number | undefined {
  for (let outer = 0; outer <= level; outer++) {
    if (backslashes % 2 ** (outer + 1) === 2 ** outer - 1) return outer
  }
  return undefined
}

function endsJsonString(text: string, at: number): boolean {
  return at + 1 >= text.length || ',:}] \t\r\n'.includes(text.charAt(at + 1))
}

/** A quote written as `&quot;` or `%22` closes likewise, if it does so before the string or line around it ends. */
function endOfEncoded(text: string, start: number, stop: number, quote: string): number {
  for (let at = start; at < stop; at++) {
    if (text.startsWith(quote, at)) return at
    if ('"\'`<\\\r\n'.includes(text.charAt(at))) return at
  }
  return stop
}

/** A bare value ends at a blank, a quote, or a sign that opens the next field. A sentence's full stop is not part of it. */
function endOfBare(text: string, start: number, stop: number): number {
  let at = start
  while (at < stop) {
    const code = text.charCodeAt(at)
    const step = code < 128 && ORDINARY[code] === 1 ? 1 : bareStep(text, at)
    if (step === 0) break
    at += step
  }
  at = Math.min(at, stop)
  if (at < stop || at === text.length) while (at > start && '.,:;'.includes(text.charAt(at - 1))) at--
  return at
}

/** Characters a bare value may hold wherever they stand. */
const ORDINARY = new Uint8Array(128)
for (let code = 33; code < 127; code++) ORDINARY[code] = 1
for (const sign of '"\'`<\\,;|&%)]}>') ORDINARY[sign.charCodeAt(0)] = 0

/** How many characters at `at` belong to a bare value: 0 ends it. */
function bareStep(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code > 127) return isNonAsciiEnd(code) ? 0 : 1
  switch (text.charAt(at)) {
    case '"':
    case "'":
    case '`':
      return 0
    case '<':
      return /[/!a-z]/i.test(text.charAt(at + 1)) ? 0 : 1
    case '\\':
      return stepOverEscape(text, at)
    case ',':
    case ';':
    case '|':
      return endsField(text, at) ? 0 : 1
    case '&':
      return endsField(text, at) || text.startsWith('&quot;', at) || text.startsWith('&#', at) ? 0 : 1
    case '%':
      return /^%(?:26|22|20|0[ad])/i.test(text.slice(at, at + 3)) ? 0 : 1
    case ')':
    case ']':
    case '}':
    case '>':
      return isAtEdge(text, at + 1) ? 0 : 1
    default:
      return code <= 32 ? 0 : 1
  }
}

/** Both characters of an escape, so that none is cut in half; `\n` and the like are line breaks and end the value. */
function stepOverEscape(text: string, at: number): number {
  const next = text.charAt(at + 1)
  if (next === '' || 'nrt"\'`'.includes(next)) return 0
  if (next === 'u') return /^\\u00(?:26|3c|3e|22|27|20)/i.test(text.slice(at, at + 6)) ? 0 : 2
  if (next === '\\') return '"nrt'.includes(text.charAt(at + 2)) && text.charAt(at + 2) !== '' ? 0 : 2
  return 2
}

function endsField(text: string, at: number): boolean {
  if (isAtEdge(text, at + 1)) return true
  NEXT_FIELD.lastIndex = at
  return NEXT_FIELD.test(text)
}

const isAtEdge = (text: string, at: number): boolean =>
  at >= text.length || ' \t\r\n,;.:)]}>"\'`<\\|&'.includes(text.charAt(at))

/** Punctuation and scripts that a bare secret does not run into: general punctuation, CJK, Arabic and Indic stops. */
function isNonAsciiEnd(code: number): boolean {
  if (code >= 0xd8_00 && code <= 0xdf_ff) return false
  if (code >= 0x20_00) return true
  return (
    code === 0xa0 ||
    code === 0xab ||
    code === 0xbb ||
    (code >= 0x06_00 && code <= 0x06_ff) ||
    code === 0x09_64
  )
}
