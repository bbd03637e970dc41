import type { CopyContext, TableCopy } from '../copy-table.ts'
import { withoutNul } from '../copy-table.ts'
import { rowsOf } from '../source.ts'

interface ThreadColumns {
  readonly no: number
  readonly id: string
  readonly user: string
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
  readonly queue_mode: string | null
  readonly last_seq: number
  readonly pages: number
}

export const THREADS: TableCopy = {
  table: 'threads',
  columns: {
    no: 'bigint',
    id: 'text',
    user_id: 'text',
    title: 'text',
    created_at: 'double precision',
    updated_at: 'double precision',
    archived_at: 'double precision',
    queue_mode: 'text',
    last_seq: 'bigint',
    pages: 'bigint',
  },
  *rows({ source }) {
    const sql = `SELECT threads.*, coalesce(count, 0) AS pages, coalesce(last, 0) AS last_seq FROM threads LEFT JOIN
      (SELECT thread, count(*) AS count, max(last_seq) AS last FROM journal GROUP BY thread) written ON written.thread = no
      ORDER BY no`
    for (const row of rowsOf<ThreadColumns>(source.connection, sql)) {
      const { no, id, user, created_at, updated_at, archived_at, queue_mode, last_seq, pages } = row
      const title = withoutNul(row.title)
      yield [no, id, user, title, created_at, updated_at, archived_at, queue_mode, last_seq, pages]
    }
  },
}

interface RunColumns {
  readonly no: number
  readonly id: string
  readonly thread: number
  readonly user: string
  readonly root: string
  readonly depth: number
  readonly status: string
  readonly started_at: number
  readonly message_id: string | null
  readonly waits_for: string | null
  readonly from_seq: number
  readonly row: string
}

export const RUNS: TableCopy = {
  table: 'runs',
  columns: {
    no: 'bigint',
    id: 'text',
    thread: 'bigint',
    user_id: 'text',
    root: 'text',
    depth: 'integer',
    status: 'text',
    started_at: 'double precision',
    message_id: 'text',
    waits_for: 'text',
    from_seq: 'bigint',
    body: 'text',
  },
  *rows({ source }) {
    for (const run of rowsOf<RunColumns>(source.connection, 'SELECT * FROM runs ORDER BY no')) {
      const { no, id, thread, user, root, depth, status, started_at, message_id, waits_for, from_seq } = run
      yield [no, id, thread, user, root, depth, status, started_at, message_id, waits_for, from_seq, run.row]
    }
  },
}

export const QUEUE: TableCopy = {
  table: 'queue',
  columns: { thread: 'bigint', id: 'text' },
  rows: (context) => valuesOf(context, 'SELECT thread, id FROM queue'),
}

export const MEDIA: TableCopy = {
  table: 'media',
  columns: { thread: 'bigint', ref: 'text', bytes: 'bytea' },
  rows: (context) => valuesOf(context, 'SELECT thread, ref, bytes FROM media'),
}

/** The rows of a query as they are. */
export function* valuesOf({ source }: CopyContext, sql: string): Generator<readonly unknown[]> {
  for (const row of rowsOf<Readonly<Record<string, unknown>>>(source.connection, sql))
    yield Object.values(row)
}
