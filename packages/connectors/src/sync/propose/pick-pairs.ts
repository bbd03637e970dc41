import type { Action } from '@capstan/harness/connectors'
import { isRecord } from '@capstan/harness/connectors'
import type { JsonObject } from '@capstan/harness/seams'
import { toNameWords } from '../../effects/name-words.ts'

/** An action that lists, and perhaps one that reads an item of the list, by their names and their arguments. */
export interface ActionPair {
  /** What both are about, such as `page`. Empty for `search` and `fetch`. */
  readonly noun: string
  readonly list: Action
  /** Arguments that the list needs: searches for everything. */
  readonly args: JsonObject
  readonly cursor?: string
  readonly read?: { readonly action: Action; readonly id: string }
}

const LIST_VERBS = ['list', 'browse', 'search', 'find', 'query']
const READ_VERBS = ['read', 'get', 'fetch', 'retrieve', 'open']
const VERBS = new Set([...LIST_VERBS, ...READ_VERBS])
const EMPTY = new Set([
  'all',
  'a',
  'by',
  'content',
  'contents',
  'detail',
  'details',
  'full',
  'id',
  'markdown',
])
const QUERIES = new Set(['q', 'query', 'search', 'text', 'term', 'terms', 'keyword', 'keywords'])
const CURSORS = new Set([
  'cursor',
  'nextcursor',
  'startcursor',
  'pagetoken',
  'nextpagetoken',
  'nexttoken',
  'continuationtoken',
  'page',
])
const ID = /^(?:id|uri|url|path|key|slug)$|(?:_id|Id|_uri|Uri|_key|Key)$/

/** Actions that fit together, one pair for what they are about; those with a read action first. Only actions that read. Pure. */
export function pickPairs(actions: readonly Action[], slug: string): readonly ActionPair[] {
  const reading = actions.filter(({ effect }) => effect === 'read')
  const toNoun = nounsOf(actions, slug)
  const pairs = new Map<string, ActionPair>()
  for (const list of inOrder(reading, LIST_VERBS)) {
    const noun = toNoun(list.name)
    const found = readList(list)
    if (found && !pairs.has(noun)) pairs.set(noun, { noun, list, ...found })
  }
  for (const action of inOrder(reading, READ_VERBS)) {
    const pair = pairs.get(toNoun(action.name))
    const id = onlyId(action)
    if (pair && !pair.read && id !== undefined) pairs.set(pair.noun, { ...pair, read: { action, id } })
  }
  const byNoun = [...pairs.values()].toSorted((a, b) => (a.noun < b.noun ? -1 : 1))
  return [...byNoun.filter(({ read }) => read), ...byNoun.filter(({ read }) => !read)]
}

/** Actions with one of the verbs, the first verb first, then by name. */
function inOrder(actions: readonly Action[], verbs: readonly string[]): readonly Action[] {
  const rank = ({ name }: Action): number => verbs.findIndex((verb) => toNameWords(name).includes(verb))
  return actions
    .filter((action) => rank(action) !== -1)
    .toSorted((a, b) => rank(a) - rank(b) || (a.name < b.name ? -1 : 1))
}

/** What an action is about: its words without verbs, without the name of the app, in the singular. */
function nounsOf(actions: readonly Action[], slug: string): (name: string) => string {
  const firsts = new Set(actions.map(({ name }) => toNameWords(name)[0] ?? ''))
  const [shared] = firsts
  const prefix = new Set(toNameWords(slug))
  if (actions.length > 1 && firsts.size === 1 && !VERBS.has(shared!)) prefix.add(shared!)
  return (name) =>
    toNameWords(name)
      .filter((word, index) => !VERBS.has(word) && !EMPTY.has(word) && !(index === 0 && prefix.has(word)))
      .map(toSingular)
      .toSorted()
      .join(' ')
}

const toSingular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.length > 3 ? word.replace(/s$/, '') : word

function readList({ input }: Action): Pick<ActionPair, 'args' | 'cursor'> | undefined {
  const properties = propertiesOf(input)
  const required = requiredOf(input)
  if (!required.every((name) => QUERIES.has(name.toLowerCase()))) return undefined
  const cursor = Object.keys(properties).find((name) => CURSORS.has(toPlain(name)))
  return {
    args: Object.fromEntries(required.map((name) => [name, ''])),
    ...(cursor !== undefined && { cursor }),
  }
}

function onlyId({ input }: Action): string | undefined {
  const required = requiredOf(input)
  const names = required.length > 0 ? required : Object.keys(propertiesOf(input))
  const [id] = names
  return names.length === 1 && ID.test(id!) ? id : undefined
}

/** A name without its style: `next_cursor` and `nextCursor` are the same. Pure. */
export const toPlain = (name: string): string => name.replaceAll(/[_-]/g, '').toLowerCase()

const propertiesOf = ({ properties }: Action['input']): Readonly<Record<string, unknown>> =>
  isRecord(properties) ? properties : {}

const requiredOf = ({ required }: Action['input']): readonly string[] =>
  Array.isArray(required) ? required.filter((name): name is string => typeof name === 'string') : []
