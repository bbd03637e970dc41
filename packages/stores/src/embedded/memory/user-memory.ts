import { setImmediate } from 'node:timers/promises'
import { hasSameText, searchItems } from '@capstan/harness/stores'
import type { MemoryItem, UserMemory } from '@capstan/harness/stores'
import { toMemoryColumns, toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Connection } from '../database/connection.ts'
import type { StoreAccess } from '../database/store-access.ts'
import { createItemIndex } from './item-index.ts'
import { createMemoryIndex } from './memory-index.ts'
import { createUserFacts } from './user-facts.ts'
import { createUserVectors } from './user-vectors.ts'

interface Row extends MemoryColumns {
  readonly no: number
  readonly terms_sum: number
  readonly vector_model: string
}

/** Items, their vectors and facts on SQLite. */
export function createUserMemory(
  access: StoreAccess,
  connection: Connection,
  changed: (bytes: number) => void,
): UserMemory {
  const index = createMemoryIndex(connection)
  const rows = prepareRows(connection)
  const vectors = createUserVectors(access, connection, changed)

  /** Forgets how a row is found. Rows that were indexed by other terms are found after `reindex`. */
  function unindex(userId: string, found: readonly Row[]): boolean {
    return found.map((row) => index.remove(row.no, userId, toMemoryItem(row), row.terms_sum)).every(Boolean)
  }
  /** The rules of the search changed since the items were indexed. */
  function reindex(): void {
    index.clear()
    for (const row of rows.all.all()) rows.sum.run(index.add(row.no, row.user, toMemoryItem(row)), row.no)
  }
  function write<Value>(work: (noteStale: (isKnown: boolean) => void) => Value): Value {
    return access.write(() => {
      index.reset()
      let isStale = false
      const value = work((isKnown) => (isStale ||= !isKnown))
      if (isStale) reindex()
      index.flush()
      return value
    })
  }
  function removeRows(userId: string, find: () => readonly Row[]): number {
    const count = write((noteStale) => {
      const found = find()
      const isKnown = unindex(userId, found)
      for (const { no } of found) rows.remove.run(no)
      vectors.forget(userId, found)
      noteStale(isKnown)
      return found.length
    })
    changed(count * BYTES_PER_ITEM)
    return count
  }
  function put(userId: string, item: MemoryItem): { readonly isNew: boolean; readonly isKnown: boolean } {
    const { id, app, account, at, body } = toMemoryColumns(item)
    const old = rows.get.get(userId, id)
    const isKnown = old === undefined || unindex(userId, [old])
    if (old) rows.remove.run(old.no)
    const keepsVectors = old !== undefined && hasSameText(toMemoryItem(old), item)
    if (old && !keepsVectors) vectors.forget(userId, [old])
    const model = keepsVectors ? old.vector_model : ''
    const no = rows.insert.compiled().run(userId, id, app, account, at, body, model).lastInsertRowid
    rows.sum.run(index.add(Number(no), userId, item), no)
    return { isNew: old === undefined, isKnown }
  }

  return {
    facts: createUserFacts(access, connection, changed),
    vectors: vectors.port,
    put(userId, items) {
      const added = write((noteStale) => {
        let count = 0
        for (const item of items) {
          const { isNew, isKnown } = put(userId, item)
          noteStale(isKnown)
          if (isNew) count++
        }
        return count
      })
      changed(items.length * BYTES_PER_ITEM)
      return { added }
    },
    get: (userId, id) =>
      access.read(() => {
        const row = rows.get.get(userId, id)
        return row && toMemoryItem(row)
      }),
    list: (userId, { app = null, account = null, cursor, limit = -1 } = {}) =>
      access.read(() =>
        rows.list
          .all(userId, app, account, cursor?.at ?? null, cursor?.id ?? null, limit)
          .map((row) => toMemoryItem(row)),
      ),
    sources: (userId) =>
      access.read(() =>
        rows.sources.all(userId).map(({ app, account, count }) => ({
          app,
          ...(account !== '' && { account }),
          count,
        })),
      ),
    search: async (userId, query) =>
      searchItems(
        createItemIndex(access, index, userId, (no) => rows.byNo.get(no, userId), vectors.port),
        query,
      ),
    remove: (userId, ids) =>
      removeRows(userId, () => [...new Set(ids)].flatMap((id) => rows.get.get(userId, id) ?? [])),
    removeAll: (userId, { app, account = null }) =>
      removeInParts(() => removeRows(userId, () => rows.ofSource.all(userId, app, account, REMOVED_AT_ONCE))),
  }
}

/** So many take some tens of milliseconds. Then others get their turn. */
const REMOVED_AT_ONCE = 20

/** `removePart` removes so many, or fewer when no more are left. */
async function removeInParts(removePart: () => number): Promise<number> {
  for (let removed = 0; ; await setImmediate()) {
    const count = removePart()
    removed += count
    if (count < REMOVED_AT_ONCE) return removed
  }
}

// A row, its index entries and its counts, roughly.
const BYTES_PER_ITEM = 8192

function prepareRows(connection: Connection) {
  return {
    get: connection.prepare<Row>('SELECT * FROM memory_items WHERE user = ? AND id = ?'),
    byNo: connection.prepare<Row>('SELECT * FROM memory_items WHERE no = ? AND user = ?'),
    all: connection.prepare<Row & { readonly user: string }>('SELECT * FROM memory_items'),
    ofSource: connection.prepare<Row>(
      'SELECT * FROM memory_items WHERE user = ?1 AND app = ?2 AND (?3 IS NULL OR account = ?3) LIMIT ?4',
    ),
    list: connection.prepare<Row>(
      `SELECT * FROM memory_items WHERE user = ?1 AND (?2 IS NULL OR app = ?2) AND (?3 IS NULL OR account = ?3)
      AND (?4 IS NULL OR at < ?4 OR (at = ?4 AND id > ?5)) ORDER BY at DESC, id LIMIT ?6`,
    ),
    sources: connection.prepare<{
      readonly app: string
      readonly account: string
      readonly count: number
    }>(
      'SELECT app, account, count(*) AS count FROM memory_items WHERE user = ? GROUP BY app, account ORDER BY app, account',
    ),
    insert: connection.prepare(
      `INSERT INTO memory_items (user, id, app, account, at, body, terms_sum, vector_model)
      VALUES (?, ?, ?, ?, ?, ?, 0, ?)`,
    ),
    sum: connection.prepare('UPDATE memory_items SET terms_sum = ? WHERE no = ?'),
    remove: connection.prepare('DELETE FROM memory_items WHERE no = ?'),
  }
}
