import { hasSameText, toSignBytes, toVectorBytes } from '@capstan/harness/stores'
import type { ItemVectors, NearestFinder, UserVectors } from '@capstan/harness/stores'
import { toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Database, Query } from '../database/database.ts'

/** Runs the changes of one user one after the other. */
export type ChangeMemory = <Value>(userId: string, work: (query: Query) => Promise<Value>) => Promise<Value>

/** Vectors on PostgreSQL. */
export function createUserVectors(
  database: Database,
  change: ChangeMemory,
  finder: NearestFinder,
): UserVectors {
  async function put(
    query: Query,
    userId: string,
    model: string,
    embedded: readonly ItemVectors[],
  ): Promise<number> {
    const ids = embedded.map(({ item }) => item.id)
    const rows = await query<MemoryColumns>(ITEMS, [userId, ids])
    const now = new Map(rows.map((row) => [row.id, toMemoryItem(row)]))
    const kept = embedded.filter(({ item }) => {
      const there = now.get(item.id)
      return there !== undefined && hasSameText(there, item)
    })
    const keptIds = kept.map(({ item }) => item.id)
    await removeVectors(query, userId, keptIds)
    await query('UPDATE memory_items SET vector_model = $3 WHERE user_id = $1 AND id = ANY($2)', [
      userId,
      keptIds,
      model,
    ])
    const added = kept.flatMap(({ item, vectors }) => vectors.map((vector) => ({ id: item.id, vector })))
    await query(INSERT, [
      userId,
      model,
      added.map(({ id }) => id),
      added.map(({ vector }) => vector.length),
      added.map(({ vector }) => Buffer.from(toSignBytes(vector))),
      added.map(({ vector }) => Buffer.from(toVectorBytes(vector))),
    ])
    return kept.length
  }

  return {
    async missing(userId, model, limit) {
      return (await database.read<MemoryColumns>(MISSING, [userId, model, limit])).map(toMemoryItem)
    },
    async count(userId, model) {
      const [row] = await database.read<{ done: string; missing: string }>(COUNT, [userId, model])
      return { done: Number(row?.done ?? 0), missing: Number(row?.missing ?? 0) }
    },
    put: (userId, model, embedded) => change(userId, (query) => put(query, userId, model, embedded)),
    async nearest(userId, { model, values }, limit) {
      const found = await finder.find(userId, { model, values }, limit, {
        async signs(afterNo) {
          const of = [userId, model, values.length, afterNo]
          const rows = await database.read<{ no: string; signs: Uint8Array }>(SIGNS, of)
          return rows.map(({ no, signs }) => ({ no: Number(no), signs }))
        },
        async vectors(nos) {
          const rows = await database.read<{ no: string; item: string; vector: Uint8Array }>(VECTORS, [
            userId,
            nos,
          ])
          return rows.map(({ no, ...row }) => ({ no: Number(no), ...row }))
        },
      })
      const rows = await database.read<MemoryColumns>(ITEMS, [userId, found.map(({ id }) => id)])
      const items = new Map(rows.map((row) => [row.id, toMemoryItem(row)]))
      return found.flatMap(({ id, cosine }) => {
        const item = items.get(id)
        return item ? { item, cosine } : []
      })
    },
    async removeAll(userId) {
      await change(userId, async (query) => {
        await query('DELETE FROM memory_vectors WHERE user_id = $1', [userId])
        await query(`UPDATE memory_items SET vector_model = '' WHERE user_id = $1 AND vector_model > ''`, [
          userId,
        ])
      })
      finder.forget(userId)
    },
  }
}

/** Deletes the vectors of items. */
export async function removeVectors(query: Query, userId: string, ids: readonly string[]): Promise<void> {
  await query('DELETE FROM memory_vectors WHERE user_id = $1 AND item = ANY($2)', [userId, ids])
}

const ITEMS = 'SELECT id, app, account, at, body FROM memory_items WHERE user_id = $1 AND id = ANY($2)'
const MISSING = `SELECT id, app, account, at, body FROM memory_items
WHERE user_id = $1 AND (vector_model < $2 OR vector_model > $2) ORDER BY no DESC LIMIT $3`
const COUNT = `SELECT count(*) FILTER (WHERE vector_model = $2) AS done,
count(*) FILTER (WHERE vector_model <> $2) AS missing FROM memory_items WHERE user_id = $1`
const INSERT = `INSERT INTO memory_vectors (user_id, item, model, dimensions, signs, vector)
SELECT $1, item, $2, dimensions, signs, vector
FROM unnest($3::text[], $4::integer[], $5::bytea[], $6::bytea[]) AS given (item, dimensions, signs, vector)`
const SIGNS = `SELECT no, signs FROM memory_vectors
WHERE user_id = $1 AND model = $2 AND dimensions = $3 AND no > $4 ORDER BY no`
const VECTORS = 'SELECT no, item, vector FROM memory_vectors WHERE user_id = $1 AND no = ANY($2::bigint[])'
