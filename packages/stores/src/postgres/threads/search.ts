import type { ThreadHit } from '@capstan/harness/stores'
import { MAX_TEXT_CHARS, isUnspaced, toSearchWords } from '../../shared/threads/search-words.ts'
import type { Database } from '../database/database.ts'
import { toExcerpt } from './excerpt.ts'
import { foldWord, MAX_WORD_CHARS, toWords } from './fold-words.ts'
import { toThread } from './thread-rows.ts'
import type { ThreadColumns } from './thread-rows.ts'

/** A text as the search keeps it. Words are found by their beginnings; texts without spaces letter by letter. */
export function toSearchColumns(given: string) {
  const text = given.slice(0, MAX_TEXT_CHARS).toWellFormed().replaceAll('\0', ' ').normalize('NFC')
  const words = [...toWords(text)].map((word) => `'${word}'`).join(' ')
  return { text, words, unspaced: isUnspaced(text) ? text : null }
}

/** A word that was typed, as a condition on a text. */
export interface Term {
  readonly word: string
  /** Written with spaces between words. */
  readonly isIndexed: boolean
}

/** Those of one kind together: each order of kinds would be a statement of its own, and statements are kept. */
const toTerms = (typed: string): Term[] =>
  toSearchWords(typed)
    .map((word) =>
      isUnspaced(word) ? { word, isIndexed: false } : { word: foldWord(word), isIndexed: true },
    )
    .toSorted((a, b) => Number(b.isIndexed) - Number(a.isIndexed))

/** No word of a text is that long. */
const isHopeless = ({ word }: Term): boolean => word === '' || word.length > MAX_WORD_CHARS

interface Found extends ThreadColumns {
  readonly text: string
}

/** Threads of a user that hold all the words, best first. */
export async function searchThreads(
  database: Database,
  { userId, words, limit }: { readonly userId: string; readonly words: string; readonly limit?: number },
): Promise<ThreadHit[]> {
  const terms = toTerms(words)
  if (terms.length === 0 || terms.some(isHopeless)) return []
  const values: unknown[] = [userId, limit ?? null]
  const conditions = terms.map(({ word, isIndexed }) => {
    const place = `$${values.push(isIndexed ? `'${word}':*` : `%${word}%`)}`
    return isIndexed ? `words @@ ${place}::tsquery` : `unspaced LIKE ${place}`
  })
  const indexed = terms.flatMap(({ word, isIndexed }) => (isIndexed ? [`'${word}':*`] : []))
  const ranking = `$${values.push(indexed.join(' | '))}::tsquery`
  const rows = await database.read<Found>(
    `WITH holding AS (${conditions.map((condition) => `SELECT thread FROM search WHERE user_id = $1 AND ${condition}`).join(' INTERSECT ')}),
    ranked AS (SELECT thread, sum(ts_rank(words, ${ranking}, 2)) AS rank FROM holding JOIN search USING (thread)
      GROUP BY thread)
    SELECT threads.*, (SELECT text FROM search WHERE search.thread = threads.no AND (${conditions.join(' OR ')})
      ORDER BY is_title, no LIMIT 1) AS text
    FROM ranked JOIN threads ON threads.no = ranked.thread WHERE threads.user_id = $1
    ORDER BY rank DESC, threads.updated_at DESC LIMIT $2`,
    values,
  )
  return rows.map((row) => ({ thread: toThread(row), excerpt: toExcerpt(row.text, terms) }))
}
