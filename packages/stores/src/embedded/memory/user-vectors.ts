import { createNearestFinder, hasSameText, toSignBytes, toVectorBytes } from '@capstan/harness/stores'
import type { ItemVectors, UserVectors } from '@capstan/harness/stores'
import { toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Connection } from '../database/connection.ts'
import type { StoreAccess } from '../database/store-access.ts'

type Row = MemoryColumns & { readonly vector_model: string }

/** The vectors of items, and what the items they belong to need. */
export interface VectorRows {
  readonly port: UserVectors
  /** The items were deleted, or have another text. Call it in the transaction that changes them. */
  forget(userId: string, items: readonly Pick<Row, 'id' | 'vector_model'>[]): void
}

/** Vectors on SQLite. */
export function createUserVectors(
  access: StoreAccess,
  connection: Connection,
  changed: (bytes: number) => void,
): VectorRows {
  const finder = createNearestFinder()
  const rows = prepareRows(connection)

  function forget(userId: string, items: Parameters<VectorRows['forget']>[1]): void {
    const embedded = items.filter(({ vector_model: model }) => model !== '')
    for (const { id } of embedded) rows.remove.run(userId, id)
    if (embedded.length > 0) finder.forget(userId)
  }

  function put(userId: string, model: string, { item, vectors }: ItemVectors): boolean {
    const row = rows.item.get(userId, item.id)
    if (!row || !hasSameText(toMemoryItem(row), item)) return false
    forget(userId, [row])
    rows.setModel.run(model, userId, item.id)
    for (const vector of vectors)
      rows.insert.run(userId, item.id, model, vector.length, toSignBytes(vector), toVectorBytes(vector))
    return true
  }

  const port: UserVectors = {
    missing: (userId, model, limit) =>
      access.read(() => rows.missing.all(userId, model, limit).map((row) => toMemoryItem(row))),
    count: (userId, model) =>
      access.read(() => {
        const { done = 0, items = 0 } = rows.count.get(userId, model) ?? {}
        return { done, missing: items - done }
      }),
    put(userId, model, embedded) {
      const kept = access.write(() => embedded.filter((one) => put(userId, model, one)))
      const bytes = kept.flatMap(({ vectors }) => vectors.map(({ byteLength }) => byteLength))
      changed(bytes.reduce((sum, count) => sum + count, 0))
      return kept.length
    },
    async nearest(userId, { model, values }, limit) {
      const of = [userId, model, values.length] as const
      const found = await finder.find(userId, { model, values }, limit, {
        signs: (afterNo) => access.read(() => rows.signs.all(...of, afterNo)),
        vectors: (nos) => access.read(() => rows.vectors.all(userId, JSON.stringify(nos))),
      })
      return access.read(() =>
        found.flatMap(({ id, cosine }) => {
          const row = rows.item.get(userId, id)
          return row ? { item: toMemoryItem(row), cosine } : []
        }),
      )
    },
    removeAll(userId) {
      access.write(() => {
        rows.removeAll.run(userId)
        rows.clearModels.run(userId)
      })
      finder.forget(userId)
      changed(0)
    },
  }
  return { port, forget }
}

function prepareRows(connection: Connection) {
  return {
    item: connection.prepare<Row>('SELECT * FROM memory_items WHERE user = ? AND id = ?'),
    missing: connection.prepare<Row>(
      `SELECT * FROM memory_items WHERE no IN (
        SELECT no FROM memory_items WHERE user = ?1 AND (vector_model < ?2 OR vector_model > ?2) ORDER BY no DESC LIMIT ?3
      ) ORDER BY no DESC`,
    ),
    count: connection.prepare<{ readonly done: number; readonly items: number }>(
      `SELECT count(*) FILTER (WHERE vector_model = ?2) AS done, count(*) AS items FROM memory_items WHERE user = ?1`,
    ),
    setModel: connection.prepare('UPDATE memory_items SET vector_model = ? WHERE user = ? AND id = ?'),
    insert: connection.prepare(
      'INSERT INTO memory_vectors (user, item, model, dimensions, signs, vector) VALUES (?, ?, ?, ?, ?, ?)',
    ),
    remove: connection.prepare('DELETE FROM memory_vectors WHERE user = ? AND item = ?'),
    removeAll: connection.prepare('DELETE FROM memory_vectors WHERE user = ?'),
    clearModels: connection.prepare(
      `UPDATE memory_items SET vector_model = '' WHERE user = ? AND vector_model > ''`,
    ),
    signs: connection.prepare<{ readonly no: number; readonly signs: Uint8Array }>(
      `SELECT no, signs FROM memory_vectors WHERE user = ? AND model = ? AND dimensions = ? AND no > ? ORDER BY no`,
    ),
    vectors: connection.prepare<{ readonly no: number; readonly item: string; readonly vector: Uint8Array }>(
      `SELECT no, item, vector FROM memory_vectors WHERE user = ?1 AND no IN (SELECT value FROM json_each(?2))`,
    ),
  }
}
