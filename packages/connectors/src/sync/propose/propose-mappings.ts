import type { Action } from '@capstan/harness/connectors'
import { isRecord } from '@capstan/harness/connectors'
import type { ProposedMapping, SyncMapping } from '@capstan/protocol'
import type { CallForData } from '../mapped-source.ts'
import { checkMapping } from '../check-mapping.ts'
import { textAt, valueAt } from '../read-fields.ts'
import type { ActionPair } from './pick-pairs.ts'
import { pickPairs, toPlain } from './pick-pairs.ts'
import { findBeside, findFields, findItems, findText } from './read-shape.ts'
import { sampleOf } from './sample-of.ts'

const MOST_PROPOSALS = 3
/** Each costs at most two calls. */
const MOST_TRIED = 8

export interface ProposalParts {
  readonly slug: string
  readonly actions: readonly Action[]
  /** The schema of what an action answers, if the server says it. */
  readonly outputOf: (action: string) => unknown
  /** Calls an action that reads, to see what it answers. */
  readonly call: CallForData
  readonly signal: AbortSignal
}

/**
 * Guesses how the items of an app become items in memory: from the names and schemas of its actions, and, where no schema says
 * it, from one answer of each. The same app gets the same proposals. What is not clear is not proposed.
 */
export async function proposeMappings(parts: ProposalParts): Promise<readonly ProposedMapping[]> {
  const proposals: ProposedMapping[] = []
  for (const pair of pickPairs(parts.actions, parts.slug).slice(0, MOST_TRIED)) {
    if (proposals.length === MOST_PROPOSALS) break
    const proposal = await propose(pair, parts)
    if (proposal) proposals.push(proposal)
  }
  return proposals
}

async function propose(pair: ActionPair, parts: ProposalParts): Promise<ProposedMapping | undefined> {
  const { noun, list, args } = pair
  const shown = await shapeOf(list.name, args, parts)
  const found = findItems(shown, noun)
  if (!found) return undefined
  const { id, ...fields } = findFields(found.item, pair.read?.id, noun)
  if (id === undefined) return undefined
  const known = textAt(found.item, id)
  const read = known === undefined ? undefined : await toRead(pair, known, parts)
  if (!read && fields.text === undefined) return undefined
  const pages = toPages(pair, shown, found.path)
  const mapping: SyncMapping = {
    list: {
      action: list.name,
      ...(Object.keys(args).length > 0 && { args }),
      items: found.path,
      ...pages.list,
    },
    ...(read && { read: read.read }),
    fields: { id, ...fields, ...(read?.text !== undefined && { text: read.text }) },
  }
  const isCut = read !== undefined && fields.text !== undefined && fields.text === mapping.fields.text
  return {
    mapping: checkMapping(mapping),
    unsure: [
      ...pages.unsure,
      ...(Object.keys(args).length > 0 ? ['list.args'] : []),
      // The list may show only the beginning of a text.
      ...(isCut ? ['fields.text'] : []),
    ],
  }
}

/** What an action answers: a sample of its schema, else one answer. Undefined when it fails. */
async function shapeOf(
  action: string,
  args: ActionPair['args'],
  { outputOf, call, signal }: ProposalParts,
): Promise<unknown> {
  const output = outputOf(action)
  if (isRecord(output)) return sampleOf(output)
  try {
    return await call(action, args, signal)
  } catch {
    signal.throwIfAborted()
    return undefined
  }
}

async function toRead({ read: pair }: ActionPair, id: string, parts: ProposalParts) {
  if (!pair) return undefined
  const answer = await shapeOf(pair.action.name, { [pair.id]: id }, parts)
  const read = { action: pair.action.name, id: pair.id }
  if (typeof answer === 'string') return { read, text: undefined }
  const found = findText(answer)
  if (!found) return undefined
  return { read: { ...read, ...(found.item !== undefined && { item: found.item }) }, text: found.text }
}

const NEXT = ['nextcursor', 'nextpagetoken', 'nexttoken', 'next', 'nextpage', 'continuationtoken']
const PAGES = ['pages', 'totalpages', 'pagecount']
const TOTAL = ['total', 'totalcount', 'totalresults']

type Pages = Pick<SyncMapping['list'], 'cursor' | 'next' | 'pages' | 'total'>

function toPages(
  { cursor }: ActionPair,
  answer: unknown,
  items: string,
): { readonly list: Pages; readonly unsure: readonly string[] } {
  const total = findBeside(answer, TOTAL, items)
  const rest = total === undefined || valueAt(answer, total) === null ? {} : { total }
  if (cursor === undefined) return { list: rest, unsure: [] }
  const next = findBeside(answer, NEXT, items)
  if (next !== undefined) return { list: { cursor, next, ...rest }, unsure: [] }
  const pages = toPlain(cursor) === 'page' ? findBeside(answer, PAGES, items) : undefined
  if (pages !== undefined) return { list: { cursor, pages, ...rest }, unsure: [] }
  // The last page has no next one, so where it would be is not seen.
  const usual = USUAL_NEXT.get(cursor)
  const holder = items.includes('.') ? items.slice(0, items.lastIndexOf('.') + 1).replace(/^\.$/, '') : ''
  const guess = usual === undefined || items === '.' ? {} : { cursor, next: `${holder}${usual}` }
  return { list: { ...guess, ...rest }, unsure: ['list.cursor', 'list.next'] }
}

const USUAL_NEXT: ReadonlyMap<string, string> = new Map([
  ['cursor', 'nextCursor'],
  ['start_cursor', 'next_cursor'],
  ['startCursor', 'nextCursor'],
  ['page_token', 'next_page_token'],
  ['pageToken', 'nextPageToken'],
])
