import { isRecord } from '@capstan/harness/connectors'
import type { SyncMapping } from '@capstan/protocol'
import { toPlain } from './pick-pairs.ts'

const MOST_DEPTH = 3
const MOST_NAMES = 60
const NAME = /^[A-Za-z_$][\w$-]{0,60}$/
const USUAL_LISTS = ['items', 'results', 'data', 'entries', 'records', 'matches', 'nodes']

type Fields = SyncMapping['fields']
type Kind = (value: unknown) => boolean

const isText: Kind = (value) => typeof value === 'string'
const isTextOrNumber: Kind = (value) => typeof value === 'string' || typeof value === 'number'
const isNames: Kind = (value) => isText(value) || (Array.isArray(value) && value.every(isText))

const CHANGED = ['updatedat', 'lasteditedtime', 'modifiedat', 'lastmodified', 'updatedtime', 'modifiedtime']

/** The usual names of each field, the best first. */
const USUAL: Readonly<Record<keyof Fields, readonly [readonly string[], Kind]>> = {
  id: [['id', 'uri', 'key', 'slug'], isTextOrNumber],
  version: [['version', 'etag', 'revision', 'rev', ...CHANGED, 'updated', 'modified'], isTextOrNumber],
  at: [
    [...CHANGED, 'updated', 'modified', 'createdat', 'createdtime', 'created', 'date', 'timestamp'],
    isTextOrNumber,
  ],
  title: [['title', 'name', 'subject'], isText],
  text: [['text', 'content', 'body', 'markdown', 'description'], isText],
  link: [['url', 'link', 'htmlurl', 'weburl', 'permalink'], isText],
  people: [['author', 'authors', 'from', 'sender', 'people'], isNames],
}

/** The list of items in an answer, and where it is. Undefined when there is none, or when it is not clear which one. Pure. */
export function findItems(
  answer: unknown,
  noun: string,
): { readonly path: string; readonly item: unknown } | undefined {
  const found = listsIn(answer, [])
  const usual = found.filter(({ names }) => {
    const last = toPlain(names.at(-1) ?? '')
    return USUAL_LISTS.includes(last) || (noun !== '' && last.startsWith(noun.replaceAll(' ', '')))
  })
  const [one, ...others] = found.length === 1 ? found : usual
  if (!one || others.length > 0) return undefined
  return { path: one.names.length === 0 ? '.' : one.names.join('.'), item: one.item }
}

interface FoundList {
  readonly names: readonly string[]
  readonly item: unknown
}

function listsIn(value: unknown, names: readonly string[]): readonly FoundList[] {
  if (Array.isArray(value)) return isRecord(value[0]) ? [{ names, item: value[0] }] : []
  if (names.length === MOST_DEPTH) return []
  return fieldsOf(value).flatMap(([name, inner]) => listsIn(inner, [...names, name]))
}

/** Which fields of an item hold what. `idName`: the argument that takes the id, if there is one. Pure. */
export function findFields(item: unknown, idName: string | undefined, noun: string): Partial<Fields> {
  const own = [...(idName === undefined ? [] : [toPlain(idName)]), `${noun.replaceAll(' ', '')}id`]
  const fields = Object.entries(USUAL).flatMap(([field, [usual, kind]]) => {
    const name = findName(item, field === 'id' ? [...own, ...usual] : usual, kind)
    return name === undefined ? [] : [[field, name]]
  })
  return Object.fromEntries(fields) as Partial<Fields>
}

/** Where the answer of a read action holds the item with its text. Pure. */
export function findText(answer: unknown): { readonly item?: string; readonly text: string } | undefined {
  const [usual, kind] = USUAL.text
  const text = findName(answer, usual, kind)
  if (text !== undefined) return { text }
  const inner = fieldsOf(answer).flatMap(([item, value]) => {
    const name = isRecord(value) ? findName(value, usual, kind) : undefined
    return name === undefined ? [] : [{ item, text: name }]
  })
  return inner.length === 1 ? inner[0] : undefined
}

/** A path to one of these names in an answer, in or beside the list. Pure. */
export function findBeside(answer: unknown, names: readonly string[], items: string): string | undefined {
  const steps = items === '.' ? [] : items.split('.').slice(0, -1)
  const holders = [[], ...steps.map((_, index) => steps.slice(0, index + 1))]
  for (const holder of holders.toReversed()) {
    let value = answer
    for (const name of holder) value = isRecord(value) ? value[name] : undefined
    const direct = findName(value, names, isCursor)
    if (direct !== undefined) return [...holder, direct].join('.')
    for (const [name, inner] of fieldsOf(value)) {
      const found = isRecord(inner) ? findName(inner, names, isCursor) : undefined
      if (found !== undefined) return [...holder, name, found].join('.')
    }
  }
  return undefined
}

const isCursor: Kind = (value) => value === null || isTextOrNumber(value)

function findName(value: unknown, usual: readonly string[], kind: Kind): string | undefined {
  const fields = fieldsOf(value).filter(([, inner]) => kind(inner))
  for (const plain of usual) {
    const found = fields.find(([name]) => toPlain(name) === plain)
    if (found) return found[0]
  }
  return undefined
}

/** Fields with a name that can be part of a path. */
const fieldsOf = (value: unknown): readonly (readonly [string, unknown])[] =>
  isRecord(value) && !Array.isArray(value)
    ? Object.entries(value)
        .slice(0, MOST_NAMES)
        .filter(([name]) => NAME.test(name))
    : []
