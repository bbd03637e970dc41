import { searchableText } from '@capstan/harness/stores'
import { toSearchColumns } from '../../postgres/threads/search.ts'
import { HOLDS_AUDIT, HOLDS_WORDS, parseBody } from '../../shared/ledger/page-body.ts'
import type { TableCopy } from '../copy-table.ts'
import { rowsOf } from '../source.ts'

interface PageRow {
  readonly thread: number
  readonly user: string
  readonly body: string
}

interface TitleRow {
  readonly no: number
  readonly user: string
  readonly text: string
}

/** The titles that were given, and the questions and answers in the pages: a folder may not have indexed its last ones. */
export const SEARCH: TableCopy = {
  table: 'search',
  columns: {
    no: 'bigint',
    thread: 'bigint',
    user_id: 'text',
    is_title: 'boolean',
    text: 'text',
    words: 'tsvector',
    unspaced: 'text',
  },
  *rows({ source: { connection } }) {
    let no = 0
    const toRow = (thread: number, user: string, isTitle: boolean, given: string): readonly unknown[] => {
      const { text, words, unspaced } = toSearchColumns(given)
      return [++no, thread, user, isTitle, text, words, unspaced]
    }
    const turns = new Set<string>()
    for (const { id } of rowsOf<{ id: string }>(connection, 'SELECT id FROM runs WHERE depth = 0'))
      turns.add(id)
    for (const { no: thread, user, text } of rowsOf<TitleRow>(connection, TITLES))
      yield toRow(thread, user, true, text)
    for (const { thread, user, body } of rowsOf<PageRow>(connection, PAGES)) {
      for (const record of parseBody(body)) {
        const text = searchableText(record, (runId) => turns.has(runId))
        if (text !== undefined) yield toRow(thread, user, false, text)
      }
    }
  },
}

// The first row of a thread in the index is its title.
const TITLES = `SELECT no, user, search.text FROM threads JOIN search ON search.rowid = no * ${2 ** 20} ORDER BY no`
const PAGES = `SELECT thread, user, body FROM journal JOIN threads ON threads.no = thread
  WHERE kinds & ${HOLDS_WORDS} <> 0 AND kinds & ${HOLDS_AUDIT} = 0 ORDER BY journal.id`
