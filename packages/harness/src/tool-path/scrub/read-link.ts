import { isAlphanumeric } from './characters.ts'
import type { Tie } from './looks-secret.ts'

/** What ties a name to its value, and where the value begins. */
export interface Link {
  readonly valueAt: number
  readonly tie: Exclude<Tie, 'quoted'>
  /** The quote that closes the name, when there is one. */
  readonly quote: string
  /** A quote that was opened before the name: in `prompt('Password: ')` the next one closes it. */
  readonly closes?: string
  /**
   * The link itself says little: the value must be `quoted` and plainly a secret, or a single `striking` word, or the
   * name a `password`.
   */
  readonly needs?: 'quoted' | 'striking' | 'password'
}

const ASSIGNMENT =
  // oxlint-disable-next-line no-control-regex
  /((?:\u001B\[[\d;]{0,8}m|\\{0,7}["'`]|&quot;|&#34;|%22|\*{1,2}|[\])]){0,3})[ \t]{0,40}(:=|=>|={1,3}|::?|[：＝]|->|→|%3[ad]|\\u003[ad])\*{0,2}[ \t]{0,40}/iy
const CLOSING_QUOTE = /\\{0,7}["'`]|&quot;|%22/
/** `"name": "X", "value": "…"`, in JSON, XML and over two lines of YAML. */
const PAIR =
  /\\{0,7}["']?(?:,[ \t]{0,8}|[ \t]{1,8})?(?:\r?\n[ \t]{0,80})?\\{0,7}["']?value\\{0,7}["']?[ \t]{0,4}[:=][ \t]{0,8}/iy
const ELEMENT = /(?:[ \t][^<>\n]{0,80})?>/y
const PLIST = /<\/key>[ \t]{0,8}(?:\r?\n[ \t]{0,80})?<string>/y
const CELL = /\*{0,2}[ \t]{1,40}\|[ \t]{1,40}/y
const ARGUMENT = /["'`],[ \t]{0,4}(?=["'`])/y
const FLAG = /[ \t]{1,4}(?![-<|&>])/y
const COPULA =
  /[ \t]+(?:(?:has been|is|was|are|will be)[ \t]+)?(?:(?:now|set|changed|reset|updated)[ \t]+)?(?:to|as|is|was|be|are|ist|lautet|è|es|est|adalah)[ \t]{0,2}:?[ \t]{1,4}/iy
const DASH = /[ \t]{1,2}[—–-]{1,2}[ \t]{1,2}/y
const FOR_WHOM =
  /[ \t]+(?:(?:is|was)[ \t]+generated[ \t]+)?for[ \t]+[^\n:]{1,60}:[ \t]{0,4}(?:\r?\n[ \t]{0,8})?/iy
const QUOTED_WORD = /[ \t]{1,4}(?=["'])/y
const COLUMN = /(?: {2,40}|\t{1,8})(?![ \t-])/y
/** A word that is more than small letters. */
const NEXT_WORD = / (?![a-z]{1,24}(?:[^\w]|$))(?=[\w+/-]{8})/y

/** Reads what follows a name, `undefined` when no value does. */
export function readLink(text: string, nameStart: number, nameEnd: number): Link | undefined {
  const before = text.charAt(nameStart - 1)
  if (before === '<') {
    // `(?P<secret>` names a group of a regular expression.
    return /[?P]/.test(text.charAt(nameStart - 2)) ? undefined : toLink(ELEMENT, text, nameEnd, 'tight')
  }
  // `${NAME:-default}` reads a variable.
  if (before === '{' && text.charAt(nameStart - 2) === '$') return undefined
  const first = text.charAt(nameEnd)
  if (first === ' ' || first === '\t') return readBlank(text, nameStart, nameEnd)
  const assignment = readAssignment(text, nameStart, nameEnd)
  if (assignment) return assignment
  switch (first) {
    case '<':
      return toLink(PLIST, text, nameEnd, 'tight')
    case '*':
      return toLink(CELL, text, nameEnd, 'loose')
    case '\n':
    case '\r':
      return toLink(PAIR, text, nameEnd, 'tight')
    case '"':
    case "'":
    case '`':
    case '\\':
      return toLink(PAIR, text, nameEnd, 'tight') ?? toLink(ARGUMENT, text, nameEnd, 'loose', 'quoted')
    default:
      return undefined
  }
}

function readAssignment(text: string, nameStart: number, nameEnd: number): Link | undefined {
  const { closing, sign, valueAt, isTight } = readSign(text, nameEnd) ?? NO_SIGN
  if (sign === '') return undefined
  const before = text.charAt(nameStart - 1)
  // `::` is a path of names unless a blank follows, as in LDIF; `md5(password)=` is what a function made of it.
  if ((sign === '::' && isTight) || (before === '(' && closing.includes(')'))) return undefined
  // A link of a chain, as in `arn:aws:secretsmanager:…:secret:…`, or the user of a URL.
  const isChained = sign === ':' && before === ':' && isAlphanumeric(text.charCodeAt(nameStart - 2))
  if (isTight && (isChained || text.startsWith('://', nameStart - 3))) return undefined
  const quote = closing.length <= 1 && closing !== ']' && closing !== ')' ? closing : quoteIn(closing)
  const tie = isTight && sign !== ':' ? tieOf(text, nameStart, nameEnd) : 'loose'
  return quote === '' ? { valueAt, tie, quote, closes: before } : { valueAt, tie, quote }
}

interface Sign {
  /** What closes the name: quotes, brackets, stars. */
  readonly closing: string
  readonly sign: string
  readonly valueAt: number
  readonly isTight: boolean
}

const NO_SIGN: Sign = { closing: '', sign: '', valueAt: 0, isTight: false }
const quoteIn = (closing: string): string => CLOSING_QUOTE.exec(closing)?.[0] ?? ''

function readSign(text: string, nameEnd: number): Sign | undefined {
  const first = text.charAt(nameEnd)
  const closing = first === '"' || first === "'" ? first : ''
  const sign = text.charAt(nameEnd + closing.length)
  const next = text.charAt(nameEnd + closing.length + 1)
  // The usual cases are checked by hand for speed: every second line of a configuration has one.
  if ((sign === ':' || sign === '=') && !':=>*~'.includes(next) && next !== '') {
    let valueAt = nameEnd + closing.length + 1
    while (text.charAt(valueAt) === ' ' || text.charAt(valueAt) === '\t') valueAt++
    return { closing, sign, valueAt, isTight: valueAt === nameEnd + closing.length + 1 }
  }
  ASSIGNMENT.lastIndex = nameEnd
  const found = ASSIGNMENT.exec(text)
  if (!found) return undefined
  const [whole, closed = '', signed = ''] = found
  const isTight = whole.length === closed.length + signed.length
  return { closing: closed, sign: signed, valueAt: ASSIGNMENT.lastIndex, isTight }
}

/** Settings are written in capitals, parameters behind a sign; anything else with `=` may be a line of a program. */
function tieOf(text: string, nameStart: number, nameEnd: number): Link['tie'] {
  if (nameStart > 0 && '?&;'.includes(text.charAt(nameStart - 1))) return 'field'
  return /^[A-Z0-9_]+$/.test(text.slice(nameStart, nameEnd)) ? 'field' : 'tight'
}

/** A blank ties in many ways; what stands behind it tells which. */
function readBlank(text: string, nameStart: number, nameEnd: number): Link | undefined {
  let next = nameEnd + 1
  while (next - nameEnd < 40 && (text.charAt(next) === ' ' || text.charAt(next) === '\t')) next++
  const sign = text.charAt(next)
  if ('=:：＝→'.includes(sign) || text.startsWith('->', next)) {
    const assignment = readAssignment(text, nameStart, nameEnd)
    if (assignment) return assignment
  }
  if (text.charAt(nameStart) === '-') return toLink(FLAG, text, nameEnd, 'loose')
  switch (sign) {
    case '|':
      return toLink(CELL, text, nameEnd, 'loose')
    case '"':
    case "'":
      return toLink(QUOTED_WORD, text, nameEnd, 'prose')
    case '-':
    case '–':
    case '—':
      return toLink(DASH, text, nameEnd, 'prose')
    default:
      return (
        toLink(FOR_WHOM, text, nameEnd, 'prose', 'password') ??
        toLink(COPULA, text, nameEnd, 'prose') ??
        toLink(COLUMN, text, nameEnd, 'loose') ??
        toLink(NEXT_WORD, text, nameEnd, 'prose', 'striking')
      )
  }
}

function toLink(
  pattern: RegExp,
  text: string,
  at: number,
  tie: Link['tie'],
  needs?: Link['needs'],
): Link | undefined {
  pattern.lastIndex = at
  if (!pattern.test(text)) return undefined
  return { valueAt: pattern.lastIndex, tie, quote: '', ...(needs ? { needs } : undefined) }
}
