import { StoreError } from '@capstan/harness'
import type { ThreadStore } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { ThreadArtifacts } from '../../shared/artifacts/thread-artifacts.ts'
import type { Seal } from '../../shared/seal.ts'
import { toThreadHash } from '../artifacts/database-artifacts.ts'
import type { AuditedWrite } from '../audit/audited-write.ts'
import type { Database } from '../database/database.ts'
import type { InOrder } from '../ledger/in-order.ts'
import type { KnownThreads } from '../ledger/known-threads.ts'
import { deleteThread } from './delete-thread.ts'
import { searchThreads, toSearchColumns } from './search.ts'
import { toThread } from './thread-rows.ts'
import type { ThreadColumns } from './thread-rows.ts'

interface ThreadStoreParts {
  readonly database: Database
  readonly write: AuditedWrite
  readonly known: KnownThreads
  readonly inOrder: InOrder<ThreadId>
  readonly seal: Seal
  /** Where artifacts are, if not in the database. */
  readonly bucket: Pick<ThreadArtifacts, 'bytesOf' | 'delete'> | undefined
}

export function createThreadStore(parts: ThreadStoreParts): ThreadStore {
  const { database, write, known, inOrder, seal, bucket } = parts
  const read = async (id: ThreadId): Promise<ThreadColumns | undefined> =>
    (await database.read<ThreadColumns>('SELECT * FROM threads WHERE id = $1', [id]))[0]
  return {
    async create({ id, userId, title = '', at }) {
      const { text, words, unspaced } = toSearchColumns(title)
      const values = [id, userId, toColumn(title), at, text, words, unspaced]
      const [made] = await database.writeLazily<ThreadColumns>(CREATE, values)
      if (made) {
        known.keep(made)
        database.flush.note()
      }
      const row = made ?? (await read(id))
      if (!row) throw new StoreError('locked', `The thread ${id} was deleted while it was created.`)
      return toThread(row)
    },
    async get(id) {
      const row = await read(id)
      return row && toThread(row)
    },
    async list({ userId, archived = false, before = Infinity, limit }) {
      const rows = await database.read<ThreadColumns>(
        `SELECT * FROM threads WHERE user_id = $1 AND (archived_at IS NOT NULL) = $2 AND updated_at < $3
        ORDER BY updated_at DESC, no DESC LIMIT $4`,
        [userId, archived, before, limit ?? null],
      )
      return rows.map(toThread)
    },
    async rename(id, title) {
      const clean = toColumn(title)
      if (clean === '') throw new StoreError('invalid', 'The title is blank.')
      const { text, words, unspaced } = toSearchColumns(clean)
      return (await database.write(RENAME, [id, clean, text, words, unspaced])).length > 0
    },
    async archive(id, archivedAt) {
      const sql = 'UPDATE threads SET archived_at = $2 WHERE id = $1 RETURNING no'
      return (await database.write(sql, [id, archivedAt ?? null])).length > 0
    },
    async setQueueMode(id, mode) {
      const sql = 'UPDATE threads SET queue_mode = $2 WHERE id = $1 RETURNING no'
      return (await database.write(sql, [id, mode ?? null])).length > 0
    },
    delete: (id, at = Date.now()) =>
      inOrder.run(id, async () => {
        known.forget(id)
        // First the objects: when one cannot be deleted, the thread is still there, and can be deleted again.
        if (bucket && (await read(id))) await bucket.delete(id)
        return write(async (query, audit) => {
          const line = await deleteThread(query, seal, id, at)
          if (line) audit(line)
          return line !== undefined
        })
      }),
    async bytesOf(id) {
      const [row] = await database.read<{ bytes: number }>(BYTES, [id, toThreadHash(id)])
      return row ? row.bytes + ((await bucket?.bytesOf(id)) ?? 0) : 0
    },
    async withQueued() {
      const rows = await database.read<ThreadColumns>(
        'SELECT * FROM threads WHERE no IN (SELECT thread FROM queue) ORDER BY no',
      )
      return rows.map(toThread)
    },
    search: (query) => searchThreads(database, query),
  }
}

/** A column cannot hold NUL or half a character. */
const toColumn = (title: string): string => title.replaceAll('\0', '').trim().toWellFormed()

// A title that comes from the first question is found by the question.
const CREATE = `WITH made AS (
  INSERT INTO threads (id, user_id, title, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
  ON CONFLICT (id) DO NOTHING RETURNING *),
titled AS (INSERT INTO search (thread, user_id, is_title, text, words, unspaced)
  SELECT no, user_id, true, $5, $6::tsvector, $7 FROM made WHERE $3 <> '')
SELECT * FROM made`

const RENAME = `WITH renamed AS (UPDATE threads SET title = $2 WHERE id = $1 RETURNING no, user_id),
untitled AS (DELETE FROM search USING renamed WHERE thread = renamed.no AND is_title),
titled AS (INSERT INTO search (thread, user_id, is_title, text, words, unspaced)
  SELECT no, user_id, true, $3, $4::tsvector, $5 FROM renamed)
SELECT no FROM renamed`

const BYTES = `SELECT
  (SELECT coalesce(sum(octet_length(body)), 0) FROM journal WHERE thread = threads.no) +
  (SELECT coalesce(sum(octet_length(bytes)), 0) FROM media WHERE thread = threads.no) +
  (SELECT coalesce(sum(bytes), 0)::bigint FROM artifacts WHERE thread_hash = $2 AND is_whole) AS bytes
FROM threads WHERE id = $1`
