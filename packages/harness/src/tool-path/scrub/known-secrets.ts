import { loadUnits, PIECE_UNITS, units } from './text-units.ts'
import { MARK, MARK_START, replaceSpans, toMark } from './span.ts'
import type { Span } from './span.ts'

/** The literal values of credentials we keep ourselves, ready to be recognised in any text. */
export interface KnownSecrets {
  /** Adds a span for each place where one of them stands, in whatever form. */
  find(text: string, spans: Span[]): void
  /** Where the end of a text may be the beginning of one of them; the length of the text when it is not. */
  holdFrom(text: string): number
}

/** Puts a mark in place of every known secret, and changes nothing else. Pure. */
export function hideKnown(text: string, known: KnownSecrets | undefined): string {
  if (!known) return text
  const spans: Span[] = []
  known.find(text, spans)
  return spans.length === 0 ? text : replaceSpans(text, spans)
}

/** As `hideKnown`, in every text of a JSON value. Returns the same value when there is nothing to hide. */
export function hideKnownIn<Value>(value: Value, known: KnownSecrets | undefined): Value {
  if (!known) return value
  const text = JSON.stringify(value)
  const safe = hideKnown(text, known)
  if (safe === text) return value
  // A number has no quotes around it, and neither has a mark in its place.
  const quoted = JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'number' ? quoteKnown(inner, known) : inner,
  )
  return JSON.parse(hideKnown(quoted, known)) as Value
}

function quoteKnown(number: number, known: KnownSecrets): number | string {
  const text = String(number)
  return hideKnown(text, known) === text ? number : text
}

/** Shorter values would be found in innocent words. */
const MIN_CHARS = 8
/** A line of a longer value may be `-----BEGIN` or a brace; those that hold something are longer. */
const MIN_LINE_CHARS = 32
/** A form is recognised by any four neighbouring characters, looked for at every fifth place of the text. */
const GRAM = 4
const STRIDE = MIN_CHARS - GRAM + 1
const TABLE_BITS = 16
/** Pieces overlap by less than a gram, and begin at a fifth place. */
const PIECE_STEP = Math.floor((PIECE_UNITS - GRAM) / STRIDE) * STRIDE

interface Form {
  readonly text: string
  /** How far into the form its gram stands. */
  readonly offset: number
}

/**
 * Recognises each value as it is, URL-encoded, JSON-escaped, and in base64 at any alignment, so also inside a basic
 * authorization header. Values under eight characters are left out: they would be found in innocent words.
 */
export function createKnownSecrets(values: Iterable<string>): KnownSecrets {
  const forms = [...new Set([...values].flatMap(toLines).flatMap(toForms))]
  const grams = new Map<number, Form[]>()
  const isGram = new Uint8Array(2 ** TABLE_BITS)
  for (const text of forms) {
    for (let offset = 0; offset < STRIDE; offset++) {
      const [first = 0, second = 0, third = 0, fourth = 0] = Array.from({ length: GRAM }, (_, index) =>
        text.charCodeAt(offset + index),
      )
      const gram = gramOf(first, second, third, fourth)
      isGram[gram] = 1
      grams.set(gram, [...(grams.get(gram) ?? []), { text, offset }])
    }
  }
  const mark = toMark('stored-credential')
  const byFirst = Map.groupBy(forms, (form) => form.charCodeAt(0))
  const longest = Math.max(0, ...forms.map((form) => form.length))

  return {
    find(text, spans) {
      if (forms.length === 0) return
      for (let base = 0; base + GRAM <= text.length; base += PIECE_STEP) {
        const last = Math.min(loadUnits(text, base) - GRAM, PIECE_STEP - 1)
        for (let at = 0; at <= last; at += STRIDE) {
          const gram = gramOf(units[at]!, units[at + 1]!, units[at + 2]!, units[at + 3]!)
          if (isGram[gram] === 0) continue
          for (const form of grams.get(gram) ?? []) {
            const start = base + at - form.offset
            if (start < 0 || !text.startsWith(form.text, start) || isInMark(text, start)) continue
            spans.push({ start, end: start + form.text.length, mark, anchor: start })
          }
        }
      }
    },
    holdFrom(text) {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
        const begun = byFirst.get(text.charCodeAt(at))
        if (begun?.some((form) => form.startsWith(text.slice(at)))) return at
      }
      return text.length
    },
  }
}

function gramOf(first: number, second: number, third: number, fourth: number): number {
  const hash = (first * 0x1f_35) ^ (second * 0x6d_2b) ^ (third * 0x2c_97) ^ (fourth * 0x57_c1)
  return (hash ^ (hash >>> TABLE_BITS)) & (2 ** TABLE_BITS - 1)
}

/** A value of several lines is shown, cut and quoted line by line, so each of them counts for itself. */
function toLines(value: string): readonly string[] {
  if (value.length < MIN_CHARS) return []
  const lines = value.split(/\r?\n/).filter((line) => line.length >= MIN_LINE_CHARS)
  return lines.length > 1 ? [value, ...lines] : [value]
}

function toForms(value: string): readonly string[] {
  const escaped = JSON.stringify(value).slice(1, -1)
  const encoded = encodeURIComponent(value.toWellFormed())
  const forms = [
    value,
    escaped,
    JSON.stringify(escaped).slice(1, -1),
    encoded,
    encoded.replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
    encoded.replaceAll('%20', '+'),
    escaped.replaceAll('/', String.raw`\/`),
    value.replaceAll('&', '&amp;'),
    ...toCodes(value),
    ...[0, 1, 2].flatMap((shift) => toBase64(value, shift)),
  ]
  return forms.filter((form) => form.length >= MIN_CHARS)
}

/** Every character as a number: hexadecimal, percent-encoded, and as an escape of JSON, in large and small letters. */
function toCodes(value: string): readonly string[] {
  const hex = Buffer.from(value).toString('hex')
  const escapes = Array.from({ length: value.length }, (_, at) =>
    value.charCodeAt(at).toString(16).padStart(4, '0'),
  )
  return [hex, hex.toUpperCase()].flatMap((digits, index) => [
    digits,
    digits.replaceAll(/../g, '%$&'),
    escapes.map((code) => `\\u${index === 0 ? code : code.toUpperCase()}`).join(''),
  ])
}

/** The characters of base64 that depend on the value alone when `shift` bytes stand before it. */
function toBase64(value: string, shift: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(value)])
  const stable = bytes
    .toString('base64')
    .slice(Math.ceil((shift * 8) / 6), Math.floor((bytes.length * 8) / 6))
  return [stable, stable.replaceAll('+', '-').replaceAll('/', '_')]
}

/** A value that happens to be a word of a mark must not be found in one. */
function isInMark(text: string, start: number): boolean {
  const open = text.slice(Math.max(0, start - 48), start + 1).lastIndexOf(MARK_START)
  if (open === -1) return false
  MARK.lastIndex = Math.max(0, start - 48) + open
  return MARK.test(text) && MARK.lastIndex > start
}
