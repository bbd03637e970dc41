import { MAX_TEXT_CHARS, isUnspaced, toOneLine, toSearchWords } from '../../shared/threads/search-words.ts'
import type { Connection } from '../database/connection.ts'

/** Titles, questions and answers by their words. */
export interface SearchRows {
  add(thread: number, texts: readonly string[]): void
  setTitle(thread: number, title: string): void
  /** Threads of a user that hold all the words, best first, with the words around the first match. */
  find(userId: string, words: string, limit: number): { readonly no: number; readonly excerpt: string }[]
  delete(thread: number): void
}

// A thread's rows are numbered from here on; its title is the first.
const ROWS_PER_THREAD = 2 ** 20
const EXCERPT_WORDS = 24
// Threads whose last row is known without looking.
const MAX_KNOWN = 10_000

export function createSearchRows(connection: Connection): SearchRows {
  const insert = connection.prepare('INSERT INTO search (rowid, text) VALUES (?, ?)')
  const last = connection.prepare<{ readonly rowid: number }>(
    'SELECT rowid FROM search WHERE rowid BETWEEN ? AND ? ORDER BY rowid DESC LIMIT 1',
  )
  const remove = connection.prepare('DELETE FROM search WHERE rowid BETWEEN ? AND ?')
  const aroundWord = connection.prepare<{ readonly text: string }>(
    `SELECT snippet(search, 0, '', '', '…', ${EXCERPT_WORDS}) AS text FROM search
    WHERE search MATCH ? AND rowid BETWEEN ? AND ? ORDER BY rowid LIMIT 1`,
  )
  const aroundPart = connection.prepare<{ readonly text: string }>(
    `SELECT substr(text, max(1, instr(text, ?1) - 40), 160) AS text FROM search
    WHERE instr(text, ?1) AND rowid BETWEEN ?2 AND ?3 ORDER BY rowid LIMIT 1`,
  )
  const lastOf = (thread: number): number => (thread + 1) * ROWS_PER_THREAD - 1
  /**
   * Looking up a thread's last row gets slower as the index grows, and every turn needs it. After a failed transaction
   * these numbers are too high, which only leaves a gap.
   */
  const known = new Map<number, number>()

  return {
    add(thread, texts) {
      if (texts.length === 0) return
      const title = thread * ROWS_PER_THREAD
      let row = known.get(thread) ?? last.get(title, lastOf(thread))?.rowid ?? title
      for (const text of texts) insert.run(++row, text.slice(0, MAX_TEXT_CHARS).normalize('NFC'))
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(thread, row)
    },
    setTitle(thread, title) {
      const row = thread * ROWS_PER_THREAD
      remove.run(row, row)
      if (title !== '') insert.run(row, title.normalize('NFC'))
    },
    find(userId, words, limit) {
      const terms = toTerms(words)
      if (terms.length === 0) return []
      const ranking = terms.flatMap(({ isIndexed, value }) => (isIndexed ? value : []))
      const found = connection.db
        .prepare(
          `WITH holding AS (${terms.map(({ isIndexed }) => (isIndexed ? BY_WORD : BY_PART)).join(' INTERSECT ')}),
          ranked AS MATERIALIZED (SELECT rowid / ${ROWS_PER_THREAD} AS no, rank FROM search WHERE search MATCH ?)
          SELECT no FROM holding JOIN threads USING (no) LEFT JOIN ranked USING (no)
          WHERE threads.user = ? GROUP BY no ORDER BY min(ranked.rank), threads.updated_at DESC LIMIT ?`,
        )
        .all(
          ...terms.map(({ value }) => value),
          ranking.length > 0 ? ranking.join(' OR ') : '""',
          userId,
          limit,
        ) as unknown as { readonly no: number }[]
      return found.map(({ no }) => ({ no, excerpt: toExcerpt(no, terms) }))
    },
    delete(thread) {
      known.delete(thread)
      remove.run(thread * ROWS_PER_THREAD, lastOf(thread))
    },
  }

  /** The title comes last: an excerpt that repeats it is of no use. */
  function toExcerpt(thread: number, terms: readonly Term[]): string {
    const title = thread * ROWS_PER_THREAD
    for (const [from, to] of [
      [title + 1, lastOf(thread)],
      [title, title],
    ] as const) {
      for (const { value, isIndexed } of terms) {
        const row = (isIndexed ? aroundWord : aroundPart).get(value, from, to)
        if (row) return toOneLine(row.text)
      }
    }
    return ''
  }
}

const BY_WORD = `SELECT rowid / ${ROWS_PER_THREAD} AS no FROM search WHERE search MATCH ?`
const BY_PART = `SELECT rowid / ${ROWS_PER_THREAD} AS no FROM search WHERE instr(text, ?)`

interface Term {
  readonly value: string
  /** Written with spaces between words, so that the index has it as a word. Others are looked for letter by letter. */
  readonly isIndexed: boolean
}

const toTerms = (typed: string): Term[] =>
  toSearchWords(typed).map((word) =>
    isUnspaced(word) ? { value: word, isIndexed: false } : { value: `"${word}"*`, isIndexed: true },
  )
