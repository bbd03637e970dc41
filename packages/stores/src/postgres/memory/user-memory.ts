import { createNearestFinder, hasSameText, searchItems } from '@capstan/harness/stores'
import type { MemoryItem, UserMemory } from '@capstan/harness/stores'
import { toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Database, Query } from '../database/database.ts'
import { createItemIndex, indexItems, unindexItems } from './memory-index.ts'
import { insertItems } from './memory-rows.ts'
import { createUserFacts } from './user-facts.ts'
import { createUserVectors, removeVectors } from './user-vectors.ts'
import type { ChangeMemory } from './user-vectors.ts'

/** Items, their vectors and facts on PostgreSQL. */
export function createUserMemory(database: Database): UserMemory {
  /** The changes of one user come one after the other: the counts of terms are shared by all of their items. */
  const change: ChangeMemory = (userId, work) =>
    database.transaction(async (query) => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan memory ' || $1, 0))`, [userId])
      return work(query)
    })

  const finder = createNearestFinder()
  const vectors = createUserVectors(database, change, finder)

  async function removeRows(query: Query, condition: string, values: readonly unknown[]): Promise<string[]> {
    const rows = await query<{ no: string; id: string }>(
      `SELECT no, id FROM memory_items WHERE ${condition}`,
      values,
    )
    const nos = rows.map(({ no }) => no)
    await unindexItems(query, nos)
    await query('DELETE FROM memory_items WHERE no = ANY($1)', [nos])
    return rows.map(({ id }) => id)
  }
  async function remove(userId: string, condition: string, values: readonly unknown[]): Promise<number> {
    const ids = await change(userId, async (query) => {
      const removed = await removeRows(query, condition, values)
      await removeVectors(query, userId, removed)
      return removed
    })
    finder.forget(userId)
    return ids.length
  }

  return {
    facts: createUserFacts(database),
    vectors,
    put: (userId, items) =>
      change(userId, async (query) => {
        const last = [...new Map(items.map((item) => [item.id, item])).values()]
        const ids = last.map(({ id }) => id)
        const models = await readModels(query, userId, last)
        const replaced = await removeRows(query, BY_IDS, [userId, ids])
        const changed = replaced.filter((id) => !models.has(id))
        await removeVectors(query, userId, changed)
        if (changed.length > 0) finder.forget(userId)
        const nos = await insertItems(query, userId, last, models)
        await indexItems(query, userId, last, nos)
        return { added: last.length - replaced.length }
      }),
    async get(userId, id) {
      const [row] = await database.read<MemoryColumns>(
        'SELECT id, app, account, at, body FROM memory_items WHERE user_id = $1 AND id = $2',
        [userId, id],
      )
      return row && toMemoryItem(row)
    },
    async list(userId, { app = null, account = null, cursor, limit = null } = {}) {
      const rows = await database.read<MemoryColumns>(LIST, [
        userId,
        app,
        account,
        cursor?.at ?? null,
        cursor?.id ?? null,
        limit,
      ])
      return rows.map(toMemoryItem)
    },
    async sources(userId) {
      const rows = await database.read<{ app: string; account: string; count: string }>(SOURCES, [userId])
      return rows.map(({ app, account, count }) => ({
        app,
        ...(account !== '' && { account }),
        count: Number(count),
      }))
    },
    search: (userId, query) =>
      searchItems(
        {
          ...createItemIndex(database, userId),
          nearest: (vector, limit) => vectors.nearest(userId, vector, limit),
        },
        query,
      ),
    remove: (userId, ids) => remove(userId, BY_IDS, [userId, ids]),
    removeAll: (userId, { app, account = null }) => remove(userId, BY_SOURCE, [userId, app, account]),
  }
}

/** By which model the items were embedded whose text stays the same. */
async function readModels(
  query: Query,
  userId: string,
  items: readonly MemoryItem[],
): Promise<ReadonlyMap<string, string>> {
  const rows = await query<MemoryColumns & { vector_model: string }>(
    `SELECT id, app, account, at, body, vector_model FROM memory_items WHERE ${BY_IDS} AND vector_model > ''`,
    [userId, items.map(({ id }) => id)],
  )
  const given = new Map(items.map((item) => [item.id, item]))
  const same = rows.filter((row) => {
    const item = given.get(row.id)
    return item !== undefined && hasSameText(toMemoryItem(row), item)
  })
  return new Map(same.map((row) => [row.id, row.vector_model]))
}

const BY_IDS = 'user_id = $1 AND id = ANY($2)'
const BY_SOURCE = 'user_id = $1 AND app = $2 AND ($3::text IS NULL OR account = $3)'
const SOURCES = `SELECT app, account, count(*) AS count FROM memory_items WHERE user_id = $1
GROUP BY app, account ORDER BY app COLLATE "C", account COLLATE "C"`
const LIST = `SELECT id, app, account, at, body FROM memory_items
WHERE user_id = $1 AND ($2::text IS NULL OR app = $2) AND ($3::text IS NULL OR account = $3)
AND ($4::bigint IS NULL OR at < $4 OR (at = $4 AND id COLLATE "C" > $5))
ORDER BY at DESC, id COLLATE "C" LIMIT $6`
