import { searchItems } from '@capstan/harness/stores'
import type { UserMemory } from '@capstan/harness/stores'
import { toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Database, Query } from '../database/database.ts'
import { createItemIndex, indexItems, unindexItems } from './memory-index.ts'
import { insertItems } from './memory-rows.ts'
import { createUserFacts } from './user-facts.ts'

/** Items and facts on PostgreSQL. */
export function createUserMemory(database: Database): UserMemory {
  /** The changes of one user come one after the other: the counts of terms are shared by all of their items. */
  const change = <Value>(userId: string, work: (query: Query) => Promise<Value>): Promise<Value> =>
    database.transaction(async (query) => {
      await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan memory ' || $1, 0))`, [userId])
      return work(query)
    })

  async function removeRows(query: Query, condition: string, values: readonly unknown[]): Promise<number> {
    const rows = await query<{ no: string }>(`SELECT no FROM memory_items WHERE ${condition}`, values)
    const nos = rows.map(({ no }) => no)
    await unindexItems(query, nos)
    await query('DELETE FROM memory_items WHERE no = ANY($1)', [nos])
    return nos.length
  }

  return {
    facts: createUserFacts(database),
    put: (userId, items) =>
      change(userId, async (query) => {
        const last = [...new Map(items.map((item) => [item.id, item])).values()]
        const replaced = await removeRows(query, BY_IDS, [userId, last.map(({ id }) => id)])
        const nos = await insertItems(query, userId, last)
        await indexItems(query, userId, last, nos)
        return { added: last.length - replaced }
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
    search: (userId, query) => searchItems(createItemIndex(database, userId), query),
    remove: (userId, ids) => change(userId, (query) => removeRows(query, BY_IDS, [userId, ids])),
    removeAll: (userId, { app, account = null }) =>
      change(userId, (query) => removeRows(query, BY_SOURCE, [userId, app, account])),
  }
}

const BY_IDS = 'user_id = $1 AND id = ANY($2)'
const BY_SOURCE = 'user_id = $1 AND app = $2 AND ($3::text IS NULL OR account = $3)'
const SOURCES = `SELECT app, account, count(*) AS count FROM memory_items WHERE user_id = $1
GROUP BY app, account ORDER BY app COLLATE "C", account COLLATE "C"`
const LIST = `SELECT id, app, account, at, body FROM memory_items
WHERE user_id = $1 AND ($2::text IS NULL OR app = $2) AND ($3::text IS NULL OR account = $3)
AND ($4::bigint IS NULL OR at < $4 OR (at = $4 AND id COLLATE "C" > $5))
ORDER BY at DESC, id COLLATE "C" LIMIT $6`
