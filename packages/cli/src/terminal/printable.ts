import { stripVTControlCharacters } from 'node:util'

// C0 without tab and newline, DEL and C1: a terminal executes these instead of showing them.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
// Marks that change the direction of writing can make a line look different from its content.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_SEPARATORS = /[\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Untrusted text, safe to print: it cannot move the cursor, change colours or reorder text. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(CONTROL, '')
    .replaceAll(BIDI, '')
    .replaceAll(LINE_SEPARATORS, '\n')
    .replaceAll('\t', '    ')
}

/** As `toPrintable`, on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replaceAll(/\s+/g, ' ').trim()
}

/** One line of JSON that parses to the same value and is safe to print. */
export function toJsonLine(value: unknown): string {
  return escape(JSON.stringify(value))
}

/** As `toJsonLine`, indented over several lines. */
export function toJsonText(value: unknown): string {
  return escape(JSON.stringify(value, undefined, 2) ?? 'nothing')
}

function escape(json: string): string {
  return json.replaceAll(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
