import type { JsonValue } from '../turn/json.ts'
import { parseLiteral } from './parse-literal.ts'
import { joinGroups, toWords } from './words.ts'

/** One piece of a result: a value of a structure, or a line of text. */
export interface Cell {
  readonly text: string
  /** Its words with one space between them; long numbers in groups also joined. */
  readonly words: string
  /** The keys of values that stand here alone, as a field, after a label or in a list. */
  readonly values: readonly string[]
  /** `structure`: the tool made the field. `line`: the text looks like a field, but its writer may have made it. */
  readonly form: 'structure' | 'line'
  /** For the end of a line with the start of the next one: how many of the words are in the first line. */
  readonly breakAt?: number
  /** It is the name of a field of an object, not its value. */
  readonly isKey?: true
  /** Cells of one record (an object of a list, a line, a paragraph) have the same number. */
  readonly record: number
}

const MAX_VALUE_WORDS = 24
const MAX_CELLS = 20_000
const MAX_DEPTH = 100

/** Splits a result into cells. Linear in its length. */
export function toCells(text: string): Cell[] {
  const literal = parseLiteral(text)
  const cells: Cell[] = []
  if (literal === undefined) addLines(text, cells)
  const walk: Walk = { cells, record: 0, records: 0 }
  if (literal !== undefined) addValue(literal, walk, true)
  // What did not fit counts as one long text, in which nothing is a field.
  if (cells.length >= MAX_CELLS || walk.isTooDeep) cells.push(toCell(text, () => [], 'line', -1))
  return cells
}

interface Walk {
  readonly cells: Cell[]
  record: number
  records: number
  isTooDeep?: boolean
}

function addValue(value: JsonValue, walk: Walk, isTop: boolean, depth = 0): void {
  if (depth > MAX_DEPTH) walk.isTooDeep = true
  if (depth > MAX_DEPTH || walk.cells.length >= MAX_CELLS || value === null || typeof value === 'boolean')
    return
  if (typeof value === 'string') return addLeaf(value, walk)
  if (typeof value === 'number') return addLeaf(String(value), walk)
  if (Array.isArray(value)) {
    for (const item of value as readonly JsonValue[]) {
      const outer = walk.record
      if (isTop) walk.record = ++walk.records
      addValue(item, walk, false, depth + 1)
      walk.record = outer
    }
    return
  }
  const entries = Object.entries(value)
  for (const [key, inner] of entries) {
    addLeaf(key, walk, true)
    if (inner !== undefined) addValue(inner, walk, isTop && entries.length === 1, depth + 1)
  }
}

/** A text inside of a structure. Only the whole of it is a field: lines inside of it are its writer's. */
function addLeaf(text: string, walk: Walk, isKey = false): void {
  const cell = toCell(text, (words) => [words.join(' ')], 'structure', walk.record)
  walk.cells.push(isKey ? { ...cell, isKey } : cell)
}

const MAX_BROKEN_WORDS = 8

/** Adds the end of a line with the start of the next, so that a value is found that a line break cuts in two. */
function addBreak(before: string, after: string, record: number, cells: Cell[]): void {
  const start = toWords(before.slice(-200)).slice(-MAX_BROKEN_WORDS)
  const end = toWords(after.slice(0, 200)).slice(0, MAX_BROKEN_WORDS)
  if (start.length === 0 || end.length === 0) return
  const words = [...start, ...end].join(' ')
  cells.push({ text: words, words, values: [], form: 'line', record, breakAt: start.length })
}

function addLines(text: string, cells: Cell[]): void {
  let record = 0
  let before = ''
  for (const line of text.split('\n')) {
    if (cells.length >= MAX_CELLS) return
    if (line.trim() === '' || line.includes(' | ') || line.startsWith('- ')) record++
    const parts = line.split(/ \| |\t/)
    for (const part of parts) {
      const valuesOf = (words: readonly string[]) => lineValues(part, words, parts.length > 1)
      if (part.trim() !== '') cells.push(toCell(part, valuesOf, 'line', record))
    }
    addBreak(before, line, record, cells)
    before = line
  }
}

function toCell(
  text: string,
  valuesOf: (words: readonly string[]) => readonly string[],
  form: Cell['form'],
  record: number,
): Cell {
  const words = toWords(text)
  const joined = joinGroups(words)
  const values = valuesOf(words).filter((value) => value !== '' && value.length < 400)
  const isGrouped = joined.length === 1 && values.some((value) => value.replaceAll(' ', '') === joined[0])
  return {
    text,
    words: [...words, ...joined].join(' '),
    values: isGrouped ? [...values, ...joined] : values,
    form,
    record,
  }
}

const MAX_LABEL_WORDS = 3
const LABEL_STARTS = [',', '.', ';', '?', '!', '|', '(']

/** What stands alone in a line: the whole of it, its first word, what follows a short label, and a list after a label. */
function lineValues(line: string, words: readonly string[], isColumn: boolean): string[] {
  const values: string[] = []
  if (words.length <= MAX_VALUE_WORDS) values.push(words.join(' '))
  const first = /^\s*(\S{1,80})(?=\s)/.exec(line)?.[1]
  if (first && /\d/.test(first)) values.push(toWords(first).join(' '))
  const [label, tail] = (isColumn ? splitColumn(line) : undefined) ?? splitLabel(line)
  if (label === undefined || tail === undefined) return values
  const items = tail.split(/[,;]/)
  if (tail.length <= 200) values.push(toWords(tail).join(' '), ...joinGroups(toWords(tail)))
  if (items.every((item) => !/\S\s+\S/.test(item.trim()))) {
    values.push(...items.map((item) => toWords(item).join(' ')))
  }
  return values
}

/** Splits a column such as `id m-12`. Outside of a table, two words are a sentence: `Tell Bob`. */
function splitColumn(column: string): readonly [label?: string, tail?: string] | undefined {
  const found = /^\s*(\p{L}{1,12})\s+(\S+)\s*$/u.exec(column)
  return found ? [found[1], found[2]] : undefined
}

/** Splits `… label: value` at the last colon or equals sign with a short label before it. */
function splitLabel(line: string): readonly [label?: string, tail?: string] {
  for (let at = line.length - 1; at > 0; at--) {
    const char = line[at]
    if ((char !== ':' && char !== '=') || !/\s/.test(line[at + 1] ?? ' ')) continue
    const before = line.slice(Math.max(0, at - 60), at)
    const label = before.slice(Math.max(...LABEL_STARTS.map((start) => before.lastIndexOf(start))) + 1)
    const count = toWords(label).length
    return count > 0 && count <= MAX_LABEL_WORDS ? [label, line.slice(at + 1)] : []
  }
  return []
}
