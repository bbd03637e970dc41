import { toUsageColumns } from '../../postgres/runs/usage.ts'
import { HOLDS_USAGE, parseBody } from '../../shared/ledger/page-body.ts'
import type { TableCopy } from '../copy-table.ts'
import { withoutNul } from '../copy-table.ts'
import { rowsOf } from '../source.ts'
import type { Source } from '../source.ts'

const AMOUNTS = `input_tokens, output_tokens, cached_input_tokens, cache_write_tokens, reasoning_tokens, charged_usd,
  estimated_usd, estimated`

/** Usage of threads that were deleted: it belongs to no thread any more. */
const NO_THREAD = 0

export const USAGE: TableCopy = {
  table: 'usage',
  columns: {
    no: 'bigint',
    thread: 'bigint',
    user_id: 'text',
    at: 'double precision',
    model: 'text',
    input_tokens: 'double precision',
    output_tokens: 'double precision',
    cached_input_tokens: 'double precision',
    cache_write_tokens: 'double precision',
    reasoning_tokens: 'double precision',
    charged_usd: 'double precision',
    estimated_usd: 'double precision',
    estimated: 'boolean',
  },
  *rows({ source }) {
    let no = 0
    for (const row of usageRows(source)) yield [++no, ...row]
  },
}

/** What each model call cost: first of deleted threads, then of the others in the order they were made. */
export function* usageRows({ connection }: Pick<Source, 'connection'>): Generator<readonly unknown[]> {
  const kept = `SELECT ${NO_THREAD} AS thread, user, at, model, ${AMOUNTS} FROM kept_usage ORDER BY rowid`
  const indexed = `SELECT thread, user, at, model, ${AMOUNTS} FROM usage JOIN threads ON threads.no = thread
    ORDER BY page, n`
  for (const sql of [kept, indexed]) {
    for (const row of rowsOf<Readonly<Record<string, unknown>>>(connection, sql)) {
      const { thread, user, at, model, estimated, ...amounts } = row
      yield [thread, user, at, withoutNul(String(model)), ...Object.values(amounts), Boolean(estimated)]
    }
  }
  for (const { thread, user, body } of rowsOf<PageRow>(connection, NOT_INDEXED)) {
    for (const record of parseBody(body))
      if (record.type === 'usage') yield [thread, user, ...Object.values(toUsageColumns(record))]
  }
}

interface PageRow {
  readonly thread: number
  readonly user: string
  readonly body: string
}

const NOT_INDEXED = `SELECT thread, user, body FROM journal JOIN threads ON threads.no = thread
  WHERE kinds & ${HOLDS_USAGE} <> 0 AND journal.id > (SELECT page FROM progress WHERE name = 'indexed') ORDER BY journal.id`
