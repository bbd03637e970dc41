import { toTermKey } from '@capstan/harness/stores'
import type { ItemIndex, MemoryItem } from '@capstan/harness/stores'
import { toIndexWord, toKeys, toMemoryItem } from '../../shared/memory/memory-columns.ts'
import type { MemoryColumns } from '../../shared/memory/memory-columns.ts'
import type { Database, Query } from '../database/database.ts'

/** Makes items findable. `nos`: their numbers, in the same order. */
export async function indexItems(
  query: Query,
  userId: string,
  items: readonly MemoryItem[],
  nos: readonly string[],
): Promise<void> {
  const counts = new Map<string, number>()
  const texts = items.map((item) => {
    const words = toKeys(userId, item).map(toIndexWord)
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
    return words.join(' ')
  })
  await query(
    `INSERT INTO memory_index (no, words)
    SELECT no, array_to_tsvector(string_to_array(words, ' ')) FROM unnest($1::bigint[], $2::text[]) AS given (no, words)`,
    [nos, texts],
  )
  await query(
    `INSERT INTO memory_terms (word, items) SELECT * FROM unnest($1::text[], $2::bigint[])
    ON CONFLICT (word) DO UPDATE SET items = memory_terms.items + excluded.items`,
    [[...counts.keys()], [...counts.values()]],
  )
  // What lies in the list of new entries is searched from one end to the other.
  await query(`SELECT gin_clean_pending_list('memory_index_words')`)
}

/** Forgets how items are found. */
export async function unindexItems(query: Query, nos: readonly string[]): Promise<void> {
  if (nos.length === 0) return
  await query(
    `UPDATE memory_terms SET items = items - gone.count FROM (
      SELECT word, count(*) FROM memory_index, unnest(tsvector_to_array(words)) AS word WHERE no = ANY($1) GROUP BY word
    ) AS gone WHERE memory_terms.word = gone.word`,
    [nos],
  )
  await query(
    `DELETE FROM memory_terms WHERE items <= 0 AND word IN (
      SELECT unnest(tsvector_to_array(words)) FROM memory_index WHERE no = ANY($1))`,
    [nos],
  )
  await query('DELETE FROM memory_index WHERE no = ANY($1)', [nos])
}

/** Answers about the items of one user. */
export function createItemIndex(database: Database, userId: string): Omit<ItemIndex, 'nearest'> {
  const toWord = (term: string): string => toIndexWord(toTermKey(userId, term))
  return {
    async count(terms) {
      const byWord = new Map(terms.map((term) => [toWord(term), term]))
      const rows = await database.read<{ word: string; items: string }>(
        'SELECT word, items FROM memory_terms WHERE word = ANY($1)',
        [[...byWord.keys()]],
      )
      return new Map(rows.map(({ word, items }) => [byWord.get(word) ?? '', Number(items)]))
    },
    async find(terms, limit) {
      const rows = await database.transaction(async (query) => {
        // Without the index every text would be unpacked for every term, which the planner takes for cheap.
        await query('SET LOCAL enable_seqscan = off')
        return query<MemoryColumns>(FIND, [
          terms.map(({ term }) => `'${toWord(term)}'`),
          terms.map(({ weight }) => weight),
          limit,
          userId,
        ])
      })
      return rows.map(toMemoryItem)
    },
  }
}

const FIND = `SELECT id, app, account, at, body FROM (
  SELECT no, sum(weight) AS sum FROM unnest($1::text[], $2::float8[]) AS asked (word, weight)
  JOIN memory_index ON words @@ word::tsquery GROUP BY no ORDER BY sum DESC, no DESC LIMIT $3
) AS found JOIN memory_items USING (no) WHERE user_id = $4`
