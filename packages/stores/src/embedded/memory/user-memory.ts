import { hasSameText, letOthersRun, searchItems } from '@capstan/harness/stores'
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
  const removeRows = createRemoval({ write, rows, vectors, unindex, changed })
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
    remove: async (userId, ids) =>
      removeRows(
        userId,
        access.read(() => [...new Set(ids)].flatMap((id) => rows.get.get(userId, id) ?? [])),
      ),
    removeAll: async (userId, { app, account = null }) =>
      removeRows(
        userId,
        access.read(() => rows.ofSource.all(userId, app, account)),
      ),
  }
}

/** Removes rows, some at once: how a long item is found takes a while to forget, and others run in between. */
function createRemoval({
  write,
  rows,
  vectors,
  unindex,
  changed,
}: {
  readonly write: <Value>(work: (noteStale: (isKnown: boolean) => void) => Value) => Value
  readonly rows: ReturnType<typeof prepareRows>
  readonly vectors: ReturnType<typeof createUserVectors>
  readonly unindex: (userId: string, found: readonly Row[]) => boolean
  readonly changed: (bytes: number) => void
}): (userId: string, found: readonly Row[]) => Promise<number> {
  return async (userId, found) => {
    let count = 0
    for (const some of inParts(found)) {
      count += write((noteStale) => {
        // Somebody else may have changed or removed a row meanwhile.
        const here = some.flatMap(({ no, id }) => {
          const row = rows.byNo.get(no, userId)
          return row?.id === id ? [row] : []
        })
        const isKnown = unindex(userId, here)
        for (const { no } of here) rows.remove.run(no)
        vectors.forget(userId, here)
        noteStale(isKnown)
        return here.length
      })
      if (some.length < found.length) await letOthersRun()
    }
    changed(count * BYTES_PER_ITEM)
    return count
  }
}

const CHARS_AT_ONCE = 50_000
const ROWS_AT_ONCE = 200

function* inParts(rows: readonly Row[]): Generator<readonly Row[]> {
  let part: Row[] = []
  let chars = 0
  for (const row of rows) {
    part.push(row)
    chars += row.body.length
    if (chars < CHARS_AT_ONCE && part.length < ROWS_AT_ONCE) continue
    yield part
    part = []
    chars = 0
  }
  if (part.length > 0) yield part
}

// A row, its index entries and its counts, roughly.
const BYTES_PER_ITEM = 8192

function prepareRows(connection: Connection) {
  return {
    get: connection.prepare<Row>('SELECT * FROM memory_items WHERE user = ? AND id = ?'),
    byNo: connection.prepare<Row>('SELECT * FROM memory_items WHERE no = ? AND user = ?'),
    all: connection.prepare<Row & { readonly user: string }>('SELECT * FROM memory_items'),
    ofSource: connection.prepare<Row>(
      'SELECT * FROM memory_items WHERE user = ?1 AND app = ?2 AND (?3 IS NULL OR account = ?3)',
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
