import type { ThreadId } from '@capstan/protocol'
import type { Database } from '../database/database.ts'

interface PageRow {
  readonly page: number
  readonly id: number
  readonly body: string
}

const PAGES_AT_ONCE = 200

/** The pages of a thread that hold one of `kinds` (any page without), from event `from` on, in order. */
export async function* readPages(
  database: Database,
  threadId: ThreadId,
  { from = 0, kinds = 0 }: { readonly from?: number; readonly kinds?: number } = {},
): AsyncGenerator<PageRow> {
  for (let last = 0; ;) {
    const rows = await database.read<PageRow>(
      `SELECT page, id, body FROM journal WHERE thread = (SELECT no FROM threads WHERE id = $1) AND page > $2
      AND last_seq >= $3 AND ($4 = 0 OR kinds & $4 <> 0) ORDER BY page LIMIT ${PAGES_AT_ONCE}`,
      [threadId, last, from, kinds],
    )
    yield* rows
    if (rows.length < PAGES_AT_ONCE) return
    last = rows.at(-1)!.page
  }
}
