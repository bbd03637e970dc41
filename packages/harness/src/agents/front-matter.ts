/** The front matter of a Markdown text, between two lines of `---`. */
export interface FrontMatter {
  readonly fields: ReadonlyMap<string, Field>
  readonly body: string
  readonly problems: readonly LineProblem[]
}

/** One field of the front matter. */
export interface Field {
  /** Counted from 1. */
  readonly line: number
  readonly value: string | readonly string[]
}

/** A problem in one line. */
export interface LineProblem {
  readonly line: number
  readonly problem: string
}

const FENCE = /^---[ \t]*$/
const KEY = /^([A-Za-z][\w-]*)[ \t]*:(?:[ \t]+([^ \t].*)?)?$/
const ITEM = /^ *-(?:[ \t]+([^ \t].*)?)?$/
const NOTHING = /^[ \t]*(?:#.*)?$/

/**
 * Parses a small, unambiguous part of YAML: `key: value`, quoted texts, lists in brackets or one item per line. Every
 * value is text. All other YAML is reported as a problem with its line, and so is a repeated key. Pure; never throws.
 */
export function parseFrontMatter(text: string): FrontMatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r?\n/)
  if (!FENCE.test(lines[0]!)) {
    return nothing('begin the file with a line of ---, then "key: value" lines, then another line of ---')
  }
  const end = lines.findIndex((line, index) => index > 0 && FENCE.test(line))
  if (end < 0) return nothing('the line of --- that ends the front matter is missing')
  const reader = new FieldReader()
  for (let index = 1; index < end; index++) reader.read(lines[index]!, index + 1)
  reader.endList()
  return { fields: reader.fields, problems: reader.problems, body: lines.slice(end + 1).join('\n') }
}

const nothing = (problem: string): FrontMatter => ({
  fields: new Map(),
  body: '',
  problems: [{ line: 1, problem }],
})

class FieldReader {
  readonly fields = new Map<string, Field>()
  readonly problems: LineProblem[] = []
  /** A key without a value; its items may follow. */
  #open:
    | { readonly key: string; readonly line: number; readonly items: string[]; isBroken: boolean }
    | undefined

  read(text: string, line: number): void {
    if (NOTHING.test(text)) return
    const item = ITEM.exec(text)
    if (item) return this.#readItem(item[1] ?? '', line)
    this.endList()
    const field = KEY.exec(text)
    if (!field) return this.#refuse(line, whyNoField(text))
    const [, key = '', rest = ''] = field
    if (this.fields.has(key)) return this.#refuse(line, `"${key}" is there twice`)
    if (NOTHING.test(rest)) this.#open = { key, line, items: [], isBroken: false }
    else this.#take(line, rest.startsWith('[') ? readList(rest) : readWhole(rest), key)
  }

  endList(): void {
    const open = this.#open
    this.#open = undefined
    if (!open) return
    const { key, line, items, isBroken } = open
    if (items.length === 0 && !isBroken) this.#refuse(line, `"${key}" has no value; an empty list is []`, key)
    else this.fields.set(key, { line, value: items })
  }

  #readItem(rest: string, line: number): void {
    if (!this.#open)
      return this.#refuse(line, 'this item belongs to no list: write "key:" on a line above it')
    const item = readWhole(rest)
    if ('value' in item) this.#open.items.push(item.value)
    else {
      this.#open.isBroken = true
      this.#refuse(line, item.problem)
    }
  }

  #take(line: number, read: Read<string | readonly string[]>, key: string): void {
    if ('problem' in read) this.#refuse(line, read.problem, key)
    else this.fields.set(key, { line, value: read.value })
  }

  /** An unreadable field is present, too: it is neither missing nor may it repeat. */
  #refuse(line: number, problem: string, key?: string): void {
    this.problems.push({ line, problem })
    if (key !== undefined) this.fields.set(key, { line, value: '' })
  }
}

function whyNoField(text: string): string {
  if (text.startsWith('\t')) return 'this line begins with a tab; keys begin at the start of a line'
  if (text.startsWith(' ')) {
    return 'this line is indented: keys begin at the start of a line, a text stays on one line, and items begin with "- "'
  }
  return /^[A-Za-z][\w-]*:\S/.test(text) ? 'a space is missing behind the colon' : 'this is not "key: value"'
}

type Read<Value> = { readonly value: Value } | { readonly problem: string }

/** A single value on a line, with an optional comment. */
function readWhole(text: string): Read<string> {
  const read = readScalar(text, PLAIN)
  if ('problem' in read) return read
  return NOTHING.test(read.rest) ? read : { problem: 'there is more behind the closing quotation mark' }
}

/** A list on one line, in brackets. */
function readList(text: string): Read<readonly string[]> {
  const items: string[] = []
  let rest = text.slice(1).trimStart()
  while (!rest.startsWith(']')) {
    if (rest === '') return { problem: 'the list does not end on this line: "]" is missing' }
    const item = readScalar(rest, PLAIN_IN_LIST)
    if ('problem' in item) return item
    items.push(item.value)
    rest = item.rest.trimStart()
    if (rest.startsWith(',')) rest = rest.slice(1).trimStart()
    else if (rest !== '' && !rest.startsWith(']')) return { problem: 'a comma is missing between two items' }
  }
  return NOTHING.test(rest.slice(1)) ? { value: items } : { problem: 'there is more behind the list' }
}

/** Up to a comment; in a list also up to the end of an item. */
const PLAIN = /^(?:(?!\s#).)*/
const PLAIN_IN_LIST = /^(?:(?!\s#)[^,\]])*/
const DOUBLE = /^"(?:[^"\\]|\\.)*"/
const SINGLE = /^'(?:[^']|'')*'/

function readScalar(
  text: string,
  plain: RegExp,
): { readonly value: string; readonly rest: string } | { readonly problem: string } {
  if (text.startsWith('"') || text.startsWith("'")) {
    const quoted = (text.startsWith('"') ? DOUBLE : SINGLE).exec(text)?.[0]
    if (quoted === undefined) return { problem: 'the closing quotation mark is missing' }
    const value = quoted.startsWith('"') ? unescape(quoted) : quoted.slice(1, -1).replaceAll("''", "'")
    if (value === undefined)
      return { problem: 'a \\ in double quotes begins no character that is known here' }
    return { value, rest: text.slice(quoted.length) }
  }
  const written = plain.exec(text)![0]
  const value = written.trim()
  const problem = whyNotPlain(value)
  return problem === undefined ? { value, rest: text.slice(written.length) } : { problem }
}

function whyNotPlain(value: string): string | undefined {
  if (value === '' || value === '~' || value === 'null') return 'there is no value here'
  if (/^[|>]/.test(value)) return 'a text over several lines is not read here: put it on one line'
  if (/^[&*!%@`{}[\],?#]|^- /.test(value)) {
    return `a value cannot begin with "${value[0]}" unless it stands in quotation marks`
  }
  if (/:\s|:$/.test(value)) return 'a value with a colon in it must stand in quotation marks'
  return undefined
}

function unescape(quoted: string): string | undefined {
  try {
    return JSON.parse(quoted) as string
  } catch {
    return undefined
  }
}
