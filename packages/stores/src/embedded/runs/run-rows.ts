import type { RunCursor } from '@capstan/harness/stores'
import type { RunId, RunRow, ThreadId, WaitsFor } from '@capstan/protocol'
import { toWaitKey } from '../../shared/runs/stored-run.ts'
import type { StoredRun } from '../../shared/runs/stored-run.ts'
import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

export interface RunRows {
  get(id: RunId): StoredRun | undefined
  /** Clears the cache after a transaction was rolled back. */
  forgetRecent(): void
  findByMessage(thread: number, messageId: string): StoredRun | undefined
  findWaiting(waitsFor: WaitsFor): StoredRun | undefined
  unfinished(): StoredRun[]
  /** All runs of one turn, in the order they started. */
  ofTurn(thread: number, root: RunId): StoredRun[]
  list(query: RunRowQuery): StoredRun[]
  insert(run: StoredRun): void
  update(run: StoredRun, row: RunRow): void
  delete(thread: number): void
  /** Throws when a row is damaged. */
  check(): void
}

interface RunRowQuery {
  readonly userId: string
  readonly threadId: ThreadId | undefined
  readonly status: string | undefined
  readonly depth: number | undefined
  readonly before: number
  readonly cursor: RunCursor | undefined
  readonly limit: number
}

interface Row {
  readonly id: string
  readonly thread: number
  readonly user: string
  readonly root: RunId
  readonly depth: number
  readonly status: string
  readonly started_at: number
  readonly message_id: string | null
  readonly waits_for: string | null
  readonly from_seq: number
  readonly row: string
  readonly sum: number
}

export function createRunRows(connection: Connection): RunRows {
  const byId = connection.prepare<Row>('SELECT * FROM runs WHERE id = ?')
  const byMessage = connection.prepare<Row>('SELECT * FROM runs WHERE thread = ? AND message_id = ?')
  const waiting = connection.prepare<Row>('SELECT * FROM runs WHERE waits_for = ? ORDER BY no LIMIT 1')
  const unfinished = connection.prepare<Row>(
    `SELECT * FROM runs WHERE status IN ('running', 'waiting') AND depth = 0 ORDER BY started_at, no`,
  )
  const ofTurn = connection.prepare<Row>('SELECT * FROM runs WHERE thread = ? AND root = ? ORDER BY no')
  const ofUser = connection.prepare<Row>(
    `SELECT * FROM runs WHERE user = ?1 AND (started_at, no) < (?2, ?3)
    AND (?4 IS NULL OR status = ?4) AND (?5 IS NULL OR depth = ?5) ORDER BY started_at DESC, no DESC LIMIT ?6`,
  )
  const ofThread = connection.prepare<Row>(
    `SELECT * FROM runs WHERE thread = (SELECT no FROM threads WHERE id = ?7) AND user = ?1
    AND (started_at, no) < (?2, ?3)
    AND (?4 IS NULL OR status = ?4) AND (?5 IS NULL OR depth = ?5) ORDER BY started_at DESC, no DESC LIMIT ?6`,
  )
  const noOf = connection.prepare<{ readonly no: number }>('SELECT no FROM runs WHERE id = ? AND user = ?')
  const insert = connection.prepare(
    `INSERT INTO runs (id, thread, user, root, depth, status, started_at, message_id, waits_for, from_seq, row, sum)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  const update = connection.prepare(
    'UPDATE runs SET status = ?, waits_for = ?, row = ?, sum = ? WHERE id = ?',
  )
  const all = connection.prepare<Row>('SELECT * FROM runs')
  const remove = connection.prepare('DELETE FROM runs WHERE thread = ?')
  const one = (row: Row | undefined): StoredRun | undefined => row && toRun(row)

  // Runs that were written lately and have not ended: the next commit of most threads asks for one of them.
  const recent = new Map<RunId, StoredRun>()
  const remember = (run: StoredRun): void => {
    recent.delete(run.row.id)
    if (run.row.outcome) return
    if (recent.size >= MAX_RECENT) recent.delete(recent.keys().next().value!)
    recent.set(run.row.id, run)
  }

  return {
    get: (id) => recent.get(id) ?? one(byId.get(id)),
    forgetRecent: () => recent.clear(),
    findByMessage: (thread, messageId) => one(byMessage.get(thread, messageId)),
    findWaiting: (waitsFor) => one(waiting.get(toWaitKey(waitsFor))),
    unfinished: () => unfinished.all().map(toRun),
    ofTurn: (thread, root) => ofTurn.all(thread, root).map(toRun),
    list({ userId, threadId, status = null, depth = null, before, cursor, limit }) {
      // No row has the number 0, so this pair is before every run that started at `before`.
      let end: readonly [startedAt: number, no: number] = [before, 0]
      if (cursor && cursor.startedAt < before) {
        end = [cursor.startedAt, noOf.get(cursor.id, userId)?.no ?? Number.MAX_SAFE_INTEGER]
      }
      const rows =
        threadId === undefined
          ? ofUser.all(userId, ...end, status, depth, limit)
          : ofThread.all(userId, ...end, status, depth, limit, threadId)
      return rows.map(toRun)
    },
    insert(given) {
      // A column cannot hold half a character.
      const run: StoredRun = {
        ...given,
        root: given.root.toWellFormed() as RunId,
        messageId: given.messageId?.toWellFormed(),
      }
      const { row, thread, userId, root, messageId = null, fromSeq } = run
      const text = JSON.stringify(row)
      const waits = row.waitsFor ? toWaitKey(row.waitsFor) : null
      const sum = sumOf(run, text)
      const { id, depth, status, startedAt } = row
      insert.run(id, thread, userId, root, depth, status, startedAt, messageId, waits, fromSeq, text, sum)
      remember(run)
    },
    update(run, row) {
      const text = JSON.stringify(row)
      const waits = row.waitsFor ? toWaitKey(row.waitsFor) : null
      update.run(row.status, waits, text, sumOf(run, text), row.id)
      remember({ ...run, row })
    },
    delete(thread) {
      recent.clear()
      remove.run(thread)
    },
    check() {
      for (const row of all.compiled().iterate() as Iterable<unknown>) toRun(row as Row)
    },
  }
}

const MAX_RECENT = 1_000

function sumOf({ thread, userId, root, messageId, fromSeq }: Omit<StoredRun, 'row'>, text: string): number {
  const found = JSON.stringify([thread, userId, root, messageId ?? null, fromSeq])
  return checksum(text, checksum(found))
}

function toRun(stored: Row): StoredRun {
  const { thread, user: userId, root, message_id: messageId, from_seq: fromSeq } = stored
  const rest = { thread, userId, root, messageId: messageId ?? undefined, fromSeq }
  const isWhole = sumOf(rest, stored.row) === stored.sum
  refuseDamage(isWhole, `the row of run ${stored.id}`)
  const row = JSON.parse(stored.row) as RunRow
  const isFoundByWhatItIs =
    row.id.toWellFormed() === stored.id &&
    row.depth === stored.depth &&
    row.status === stored.status &&
    row.startedAt === stored.started_at &&
    (row.waitsFor ? toWaitKey(row.waitsFor) : null) === stored.waits_for
  refuseDamage(isFoundByWhatItIs, `the row of run ${stored.id}`)
  return { ...rest, row }
}
