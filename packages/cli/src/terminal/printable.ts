import { stripVTControlCharacters } from 'node:util'

// C0 but tab and newline, DEL and C1: what a terminal obeys instead of showing.
// oxlint-disable-next-line no-control-regex
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g
// Marks that turn the direction of writing, so that a line reads differently from what it is.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g
const LINE_SEPARATORS = /[\u2028\u2029]/g
// oxlint-disable-next-line no-control-regex
const UNSAFE_IN_JSON = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g

/** Words of a model, a tool or a provider, safe to print: they cannot move the cursor, recolour or reorder. */
export function toPrintable(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(CONTROL, '')
    .replaceAll(BIDI, '')
    .replaceAll(LINE_SEPARATORS, '\n')
    .replaceAll('\t', '    ')
}

/** The same, on one line. */
export function toPrintableLine(text: string): string {
  return toPrintable(text).replaceAll(/\s+/g, ' ').trim()
}

/** One line of JSON that reads back to the same value, and is just as safe on a terminal. */
export function toJsonLine(value: unknown): string {
  return escape(JSON.stringify(value))
}

/** The same over several lines, for a person who wants to see exactly what it is. */
export function toJsonText(value: unknown): string {
  return escape(JSON.stringify(value, undefined, 2) ?? 'nothing')
}

function escape(json: string): string {
  return json.replaceAll(
    UNSAFE_IN_JSON,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}
