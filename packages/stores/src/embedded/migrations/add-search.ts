import type { Connection } from '../database/connection.ts'
import { createJournal } from '../ledger/journal.ts'
import { HOLDS_WORDS, parseBody } from '../../shared/ledger/page-body.ts'
import { searchableTexts } from '../ledger/page-index.ts'
import { createRunRows } from '../runs/run-rows.ts'
import { SEARCH_SCHEMA } from './schema.ts'
import { createSearchRows } from '../threads/search-rows.ts'

/** The second version: titles, questions and answers can be searched. Earlier messages are indexed, too. */
export function addSearch(connection: Connection): void {
  connection.db.exec(SEARCH_SCHEMA)
  const journal = createJournal(connection)
  const runs = createRunRows(connection)
  const search = createSearchRows(connection)
  const threads = connection.db.prepare('SELECT no, title FROM threads').all() as unknown as {
    readonly no: number
    readonly title: string
  }[]
  // Behind the index are the pages the store indexes by itself.
  const indexed = journal.indexed()
  for (const { no, title } of threads) {
    search.setTitle(no, title)
    journal.visit(no, { kinds: HOLDS_WORDS }, ({ id, body }) => {
      if (id <= indexed) search.add(no, searchableTexts(parseBody(body), runs))
    })
  }
}
