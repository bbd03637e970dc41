import { readJsonReason } from './read-json-reason.ts'
import { isMarkup, readMarkup } from './read-markup.ts'
import { reasonLines } from './reason-lines.ts'

/** The part of a text that gives the reason, ready for the rules. Empty when the text has none. */
export interface Reason {
  readonly text: string
  /** A status code that stood in a field of its own. */
  readonly status?: number
}

const WINDOW = { head: 4_000, tail: 5_000, places: 12, before: 100, after: 200 }
const MAX_REASON_CHARS = 1_500
const NOTHING: Reason = { text: '' }

/**
 * Picks out of a failed call's text what carries the reason: the message of a JSON answer, the words of an error
 * page, the error lines of an output. Listings, stack frames, source and prose about errors are left out. Reads a
 * bounded part of a long text. Pure; never throws.
 */
export function findReason(text: string): Reason {
  const seen = clean(windowOf(text)).trim()
  if (seen === '') return NOTHING
  const answer = readHttpAnswer(seen) ?? readJson(seen)
  if (answer) return toReason(answer.words, answer.status)
  if (isMarkup(seen)) return toReason(readMarkup(seen))
  return toReason(reasonLines(seen))
}

/** The head, the tail and, between them, a few places that mention an error. */
function windowOf(text: string): string {
  if (text.length <= WINDOW.head + WINDOW.tail) return text
  const middle = text.slice(WINDOW.head, -WINDOW.tail)
  const places: string[] = []
  const errorWord = /error|exception|fatal|fehler|erreur|ошибка/gi
  for (let hit = errorWord.exec(middle); hit && places.length < WINDOW.places; hit = errorWord.exec(middle)) {
    const from = Math.max(0, hit.index - WINDOW.before)
    const around = middle.slice(from, hit.index + WINDOW.after)
    const start = around.lastIndexOf('\n', hit.index - from) + 1
    const end = around.indexOf('\n', hit.index - from)
    const line = around.slice(start, end === -1 ? undefined : end)
    places.push(line)
    errorWord.lastIndex = from + start + line.length + 1
  }
  return [text.slice(0, WINDOW.head), ...places, text.slice(-WINDOW.tail)].join('\n')
}

// oxlint-disable-next-line no-control-regex -- colour codes of terminals are control characters
const TERMINAL_CODES = /\u001b\[[0-9;?]*[a-z]/gi

function clean(text: string): string {
  return (isForm(text) ? text.replaceAll('+', ' ') : text)
    .normalize('NFC')
    .replace(TERMINAL_CODES, '')
    .replace(/\r\n?/g, '\n')
    .replace(/[\u2018\u2019\u02bc\u00b4`]/g, "'")
    .replace(/[\u201c\u201d\u201e\u00ab\u00bb]/g, '"')
    .replace(/[\u00a0\u202f]/g, ' ')
    .replace(/^[│┃╷╵╎] ?/gm, '')
}

// What an authorisation server appends to the address it sends a person back to.
const isForm = (text: string): boolean => /^\S{0,200}\berror(?:_description)?=\S+$/.test(text)

interface Answer {
  readonly words: string
  readonly status?: number | undefined
}

function readHttpAnswer(text: string): Answer | undefined {
  const first = /^http\/[\d.]+ (\d{3})\b.*/i.exec(text)
  if (!first) return undefined
  const bodyStart = text.indexOf('\n\n')
  const body = bodyStart === -1 ? '' : text.slice(bodyStart + 2).trim()
  const json = readJson(body)
  const words = json ? json.words : isMarkup(body) ? readMarkup(body, { isError: true }) : reasonLines(body)
  return { words: `${first[0]}\n${words}`, status: Number(first[1]) }
}

/** A JSON answer, also behind a short introduction such as a status code. */
function readJson(text: string): Answer | undefined {
  const start = text.search(/[{[]/)
  if (start === -1 || start > 300) return undefined
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']'))
  if (end < start) return undefined
  let value: unknown
  try {
    value = JSON.parse(text.slice(start, end + 1))
  } catch {
    return undefined
  }
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return undefined
  const found = readJsonReason(value)
  const before = reasonLines(text.slice(0, start).trim())
  const after = reasonLines(text.slice(end + 1).trim())
  return { words: [before, found.words, after].filter(Boolean).join('\n'), status: found.status }
}

function toReason(words: string, status?: number): Reason {
  const text = splitNames(withoutPlaces(words.slice(0, MAX_REASON_CHARS)))
    .toLowerCase()
    .trim()
  return status === undefined ? { text } : { text, status }
}

// Only `markers.ts` may believe these, and only at the start of a text.
const OUR_MARKS = /\[policy-(?:blocked|denied)\]/g

/** Addresses and paths name things and give no reasons: `/rate-limits/404.html` is neither. */
function withoutPlaces(words: string): string {
  return words
    .replace(OUR_MARKS, '')
    .replace(/\b([a-z][a-z0-9+.-]{1,12}):\/\/([^\s"'<>/?#)]{0,120})[^\s"'<>)]{0,300}(?<![:.,;])/gi, 'url $2 ')
    .replace(/(?<=[ \t"'(=])(?:[a-z]:)?[\\/](?:[\w.@~+-]{1,80}[\\/]){1,20}[\w.@~+-]{0,80}/gi, '<path>')
}

/** `NoSuchBucket` and `no_such_bucket` mean "no such bucket". */
function splitNames(words: string): string {
  return words
    .replace(/(?<=[a-z0-9])(?=[A-Z][a-z])|(?<=[A-Z])(?=[A-Z][a-z]{2})|(?<=[a-z])(?=[A-Z]{2,}\b)/g, ' ')
    .replace(/(?<=[a-z0-9])_+(?=[a-z0-9])/gi, ' ')
    .replace(/\b(o|open|git|my|postgre) (auth|ai|hub|lab|sql)\b/gi, '$1$2')
}
