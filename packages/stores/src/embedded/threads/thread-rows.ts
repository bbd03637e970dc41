import type { QueueMode, ThreadId, ThreadRow } from '@capstan/protocol'
import type { KnownThread } from '../../shared/ledger/write-rows.ts'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'
import type { Journal } from '../ledger/journal.ts'

export interface ThreadRows {
  get(id: ThreadId): ThreadRow | undefined
  /** Cached for recent threads. */
  known(id: ThreadId): KnownThread | undefined
  /** Caches a new thread, so that its first commit needs no lookup. */
  noteNew(id: ThreadId, userId: string, no: number): void
  /** Answers with its number. */
  create(row: ThreadRow): number
  noOf(id: ThreadId): number | undefined
  update(row: ThreadRow): void
  list(query: {
    readonly userId: string
    readonly archived: boolean
    readonly before: number
    readonly limit: number
  }): ThreadRow[]
  byNo(no: number): ThreadRow | undefined
  delete(no: number): void
  forget(id: ThreadId): void
  /** Throws when a row is damaged. */
  check(): void
}

interface Row {
  readonly no: number
  readonly id: ThreadId
  readonly user: string
  readonly title: string
  readonly created_at: number
  readonly updated_at: number
  readonly archived_at: number | null
  readonly queue_mode: QueueMode | null
  readonly sum: number
}

// So many threads may be active without a query at each commit.
const MAX_KNOWN = 10_000

export function createThreadRows(connection: Connection, journal: Journal): ThreadRows {
  const byId = connection.prepare<Row>('SELECT * FROM threads WHERE id = ?')
  const byNo = connection.prepare<Row>('SELECT * FROM threads WHERE no = ?')
  const insert = connection.prepare(
    'INSERT INTO threads (id, user, title, created_at, updated_at, archived_at, sum) VALUES (?, ?, ?, ?, ?, ?, ?)',
  )
  const update = connection.prepare(
    'UPDATE threads SET title = ?, updated_at = ?, archived_at = ?, queue_mode = ?, sum = ? WHERE id = ?',
  )
  const list = connection.prepare<Row>(
    `SELECT * FROM threads WHERE user = ? AND (archived_at IS NOT NULL) = ? AND updated_at < ?
    ORDER BY updated_at DESC, no DESC LIMIT ?`,
  )
  const all = connection.prepare<Row>('SELECT * FROM threads')
  const remove = connection.prepare('DELETE FROM threads WHERE no = ?')
  const known = new Map<ThreadId, KnownThread>()

  function keep(thread: KnownThread): KnownThread {
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
    known.set(thread.id, thread)
    return thread
  }

  return {
    get(id) {
      const row = byId.get(id)
      return row && toThread(row)
    },
    known(id) {
      const there = known.get(id)
      if (there) return there
      const row = byId.get(id)
      if (!row) return undefined
      const { userId } = toThread(row)
      return keep({ no: row.no, id, userId, lastSeq: journal.last(row.no)?.lastSeq ?? 0, runs: new Set() })
    },
    noteNew(id, userId, no) {
      if (!known.has(id)) keep({ no, id, userId, lastSeq: 0, runs: new Set() })
    },
    create(row) {
      const { id, userId, title, createdAt, updatedAt, archivedAt = null } = row
      const { lastInsertRowid } = insert
        .compiled()
        .run(id, userId, title, createdAt, updatedAt, archivedAt, sumOf(row))
      return Number(lastInsertRowid)
    },
    noOf: (id) => byId.get(id)?.no,
    update(row) {
      const { id, title, updatedAt, archivedAt = null, queueMode = null } = row
      update.run(title, updatedAt, archivedAt, queueMode, sumOf(row), id)
    },
    list: ({ userId, archived, before, limit }) =>
      list.all(userId, archived ? 1 : 0, before, limit).map(toThread),
    byNo(no) {
      const row = byNo.get(no)
      return row && toThread(row)
    },
    delete(no) {
      remove.run(no)
    },
    forget(id) {
      known.delete(id)
    },
    check() {
      for (const row of all.compiled().iterate() as Iterable<unknown>) toThread(row as Row)
    },
  }
}

function sumOf({ id, userId, title, createdAt, updatedAt, archivedAt, queueMode }: ThreadRow): number {
  const texts = [id.toWellFormed(), userId.toWellFormed(), title.toWellFormed()]
  // A row without a queue mode has the sum of a row from before there were any.
  const added = queueMode === undefined ? [] : [queueMode]
  return checksum(JSON.stringify([...texts, createdAt, updatedAt, archivedAt ?? null, ...added]))
}

function toThread(row: Row): ThreadRow {
  const thread: ThreadRow = {
    id: row.id,
    userId: row.user,
    title: row.title,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...(row.archived_at !== null && { archivedAt: row.archived_at }),
    ...(row.queue_mode !== null && { queueMode: row.queue_mode }),
  }
  refuseDamage(sumOf(thread) === row.sum, `the row of thread ${row.id}`)
  return thread
}
