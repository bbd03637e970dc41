import type { MemoryItem } from '@capstan/harness/stores'
import { toMemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Query } from '../database/database.ts'

/**
 * Adds items that are not there. Answers with their numbers, in the same order. `models`: by which model an item was embedded
 * whose vectors are there.
 */
export async function insertItems(
  query: Query,
  userId: string,
  items: readonly MemoryItem[],
  models: ReadonlyMap<string, string>,
): Promise<string[]> {
  const rows = items.map(toMemoryColumns)
  const written = await query<{ id: string; no: string }>(
    `INSERT INTO memory_items (user_id, id, app, account, at, body, vector_model)
    SELECT $1, * FROM unnest($2::text[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::text[])
    RETURNING id, no`,
    [
      userId,
      rows.map(({ id }) => id),
      rows.map(({ app }) => app),
      rows.map(({ account }) => account),
      rows.map(({ at }) => at),
      rows.map(({ body }) => body),
      rows.map(({ id }) => models.get(id) ?? ''),
    ],
  )
  const numbers = new Map(written.map(({ id, no }) => [id, no]))
  return rows.map(({ id }) => numbers.get(id) ?? '')
}
