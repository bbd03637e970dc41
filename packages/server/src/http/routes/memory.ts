import { sanitizeLine } from '@capstan/harness/connectors'
import { findExcerpt, markLine, toItemLine } from '@capstan/harness/memory'
import type { MemoryItem, MemoryQuery, MemorySource, UserMemory } from '@capstan/harness/stores'
import { CONFIDENT_SCORE } from '@capstan/harness/stores'
import type { MemoryItemRow, MemoryPage, SyncView } from '@capstan/protocol'
import { MAX_ITEMS_ADDED, MAX_ITEMS_FORGOTTEN, MAX_LISTED_CHARS } from '@capstan/protocol'
import { z } from 'zod'
import { toAccount } from '../../sync/sync-body.ts'
import { notFound } from '../api-error.ts'
import { streamFile } from '../payload/stream-file.ts'
import { NOTHING, defineRoute, raw } from '../route.ts'
import { count } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'
import {
  forgottenApp,
  memoryHit,
  memoryItem,
  memoryItemPost,
  memoryName,
  memorySource,
} from '../schemas/memory.ts'

const MAX_HITS = 30
const MAX_ITEMS = 200
const EXPORT_PAGE = 200
const MAX_TITLE_CHARS = 300
const MAX_ADDED_BYTES = 8 * 1024 * 1024

const params = { itemId: memoryName }

const searchMemory = defineRoute({
  method: 'GET',
  path: '/api/memory/search',
  rights: 'user',
  summary:
    'Items of apps that match, best first. A weak hit shares some words and often does not hold the answer.',
  query: {
    q: z.string().trim().min(1).max(1_000),
    app: memoryName.optional(),
    account: memoryName.optional(),
    limit: z.coerce.number().int().min(1).max(MAX_HITS).default(10),
  },
  answer: z.strictObject({ hits: z.array(memoryHit) }),
  async handle({ assistant: { store }, caller, query: { q, limit, ...source } }) {
    // The search knows no apps: of its best ones, those of the app and the account are kept.
    const isNarrow = source.app !== undefined || source.account !== undefined
    const found = await store.memory.search(caller.userId, { words: q, limit: isNarrow ? MAX_HITS : limit })
    return {
      hits: found
        .filter(({ item }) => isOf(item, source))
        .slice(0, limit)
        .map(({ item, score }) => ({
          item: toListed(item),
          score,
          isWeak: score < CONFIDENT_SCORE,
          title: [...markLine(item.title, q, MAX_TITLE_CHARS)],
          excerpt: [...findExcerpt(item.text, q)],
        })),
    }
  },
})

const listMemory = defineRoute({
  method: 'GET',
  path: '/api/memory/items',
  rights: 'user',
  summary:
    'Items of apps, newest first, with the beginning of their texts. "after" is the id of the last item before.',
  query: {
    app: memoryName.optional(),
    account: memoryName.optional(),
    after: memoryName.optional(),
    limit: z.coerce.number().int().min(1).max(MAX_ITEMS).default(50),
  },
  answer: describes<MemoryPage>()(z.strictObject({ items: z.array(memoryItem), hasMore: z.boolean() })),
  async handle({ assistant: { store }, caller, query: { after, limit, ...source } }) {
    const cursor = after === undefined ? undefined : await store.memory.get(caller.userId, after)
    if (after !== undefined && !cursor) throw notFound()
    const found = await store.memory.list(caller.userId, {
      ...toQuery(source),
      ...(cursor && { cursor }),
      limit: limit + 1,
    })
    return { items: found.slice(0, limit).map(toListed), hasMore: found.length > limit }
  },
})

const addItems = defineRoute({
  method: 'POST',
  path: '/api/memory/items',
  rights: 'user',
  summary: 'Adds items, all or none. An item with the id of another replaces it.',
  body: z.strictObject({ items: z.array(memoryItemPost).min(1).max(MAX_ITEMS_ADDED) }),
  example: {
    items: [
      { id: 'note_1', app: 'notes', externalId: '1', at: 0, title: 'Boiler', text: 'Serviced.', people: [] },
    ],
  },
  maxBodyBytes: MAX_ADDED_BYTES,
  answer: z.strictObject({ added: count }),
  async handle({ assistant: { store }, caller, body }) {
    const now = Date.now()
    const { added } = await store.memory.put(
      caller.userId,
      body.items.map((item) => ({ ...item, seenAt: item.seenAt ?? now })),
    )
    return { added }
  },
})

const listSources = defineRoute({
  method: 'GET',
  path: '/api/memory/apps',
  rights: 'user',
  summary: 'The apps and accounts that items are from, with their counts.',
  answer: z.strictObject({ apps: z.array(memorySource) }),
  handle: async ({ assistant: { store }, caller }) => ({
    apps: [...(await store.memory.sources(caller.userId))],
  }),
})

const readItem = defineRoute({
  method: 'GET',
  path: '/api/memory/items/:itemId',
  rights: 'user',
  summary: 'One item with its whole text.',
  params,
  answer: memoryItem,
  async handle({ assistant: { store }, caller, params: { itemId } }) {
    const item = await store.memory.get(caller.userId, itemId)
    if (!item) throw notFound()
    return toRow(item)
  },
})

const forgetItem = defineRoute({
  method: 'DELETE',
  path: '/api/memory/items/:itemId',
  rights: 'user',
  summary: 'Deletes an item for good.',
  params,
  answer: NOTHING,
  async handle({ assistant, caller: { userId }, params: { itemId } }) {
    const { memory } = assistant.store
    const item = await memory.get(userId, itemId)
    if (!item || (await memory.remove(userId, [itemId])) === 0) throw notFound()
    await assistant.record(userId, 'memory-forget', sanitizeLine(item.app, 100), { what: 'item', count: 1 })
  },
})

const forgetItems = defineRoute({
  method: 'POST',
  path: '/api/memory/items/forget',
  rights: 'user',
  summary: 'Deletes items for good, by their ids. Those that are not there are left out of the count.',
  body: z.strictObject({ ids: z.array(memoryName).min(1).max(MAX_ITEMS_FORGOTTEN) }),
  example: { ids: ['note_1', 'note_2'] },
  answer: z.strictObject({ forgotten: count }),
  async handle({ assistant, caller: { userId }, body: { ids } }) {
    const { memory } = assistant.store
    const found = await Promise.all(ids.map(async (id) => memory.get(userId, id)))
    const apps = new Set(found.flatMap((item) => (item ? [sanitizeLine(item.app, 100)] : [])))
    const forgotten = await memory.remove(userId, ids)
    if (forgotten > 0) {
      const subject = sanitizeLine([...apps].toSorted().join(', '), 100)
      await assistant.record(userId, 'memory-forget', subject, { what: 'items', count: forgotten })
    }
    return { forgotten }
  },
})

const forgetApp = defineRoute({
  method: 'DELETE',
  path: '/api/memory/apps/:app',
  rights: 'user',
  summary:
    'Deletes all items of an app for good, or those of one of its accounts. "stillSynced" names the connections whose syncs are on and bring them back.',
  params: { app: memoryName },
  query: { account: memoryName.optional() },
  answer: forgottenApp,
  async handle({ assistant, caller: { userId }, params: { app }, query: { account } }) {
    const source = { app, ...(account !== undefined && { account }) }
    const forgotten = await assistant.store.memory.removeAll(userId, source)
    if (forgotten === 0) throw notFound()
    const what = account === undefined ? 'app' : 'account'
    await assistant.record(userId, 'memory-forget', sanitizeLine(app, 100), { what, count: forgotten })
    const stillSynced = (await assistant.sync.list(userId))
      .filter((sync) => sync.isOn && bringsBack(sync, source))
      .map(({ connectionId }) => connectionId)
    return { forgotten, ...(stillSynced.length > 0 && { stillSynced }) }
  },
})

const bringsBack = ({ toolkit, label, connectionId }: SyncView, { app, account }: MemorySource): boolean =>
  toolkit === app && (account === undefined || account === toAccount({ id: connectionId, label }))

const exportItems = defineRoute({
  method: 'GET',
  path: '/api/memory/export',
  rights: 'user',
  summary: 'All items, or those of an app, as a JSONL file that "capstan memory import" reads.',
  query: { app: memoryName.optional(), account: memoryName.optional() },
  answer: raw('application/jsonl'),
  handle: ({ assistant: { store }, caller, query, breakOff }) =>
    streamFile(
      toLines(store.memory, caller.userId, toQuery(query)),
      'application/jsonl; charset=utf-8',
      'capstan-memory.jsonl',
      breakOff,
    ),
})

async function* toLines(memory: UserMemory, userId: string, query: MemoryQuery): AsyncGenerator<string> {
  for (let cursor: MemoryItem | undefined; ;) {
    const items = await memory.list(userId, { ...query, limit: EXPORT_PAGE, ...(cursor && { cursor }) })
    for (const item of items) yield `${JSON.stringify(toItemLine(item))}\n`
    cursor = items.at(-1)
    if (!cursor) return
  }
}

const toQuery = ({ app, account }: MemoryQuery): MemoryQuery => ({
  ...(app !== undefined && { app }),
  ...(account !== undefined && { account }),
})

const isOf = (item: MemoryItem, { app, account }: MemoryQuery): boolean =>
  (app === undefined || item.app === app) && (account === undefined || item.account === account)

/** What screens show. */
function toRow({ externalId: _id, version: _version, ...row }: MemoryItem): MemoryItemRow {
  return row
}

const toListed = (item: MemoryItem): MemoryItemRow => ({
  ...toRow(item),
  text: sanitizeLine(item.text, MAX_LISTED_CHARS),
})

export const MEMORY_ROUTES = [
  searchMemory,
  listMemory,
  addItems,
  listSources,
  readItem,
  forgetItem,
  forgetItems,
  forgetApp,
  exportItems,
]
