import type { LedgerRecord } from '@capstan/harness/stores'
import type { RunId, ThreadId, ThreadRow } from '@capstan/protocol'
import type { KnownThread } from '../../shared/ledger/write-rows.ts'
import type { StoredRun } from '../../shared/runs/stored-run.ts'
import type { Database } from '../database/database.ts'
import { RUN_COLUMNS, toStoredRun } from '../runs/run-rows.ts'
import type { RunColumns } from '../runs/run-rows.ts'
import { toThread } from '../threads/thread-rows.ts'
import type { ThreadColumns } from '../threads/thread-rows.ts'

/**
 * What a commit must know of a thread, kept from one to the next. It holds as long as the thread has exactly `pages`
 * pages, which every commit checks: another node that wrote in between has added one.
 */
export interface CachedThread extends KnownThread {
  readonly row: ThreadRow
  pages: number
  /** Whole turns: every run of a turn, or none. */
  readonly turns: Map<RunId, StoredRun>
}

export interface KnownThreads {
  get(id: ThreadId): Promise<CachedThread | undefined>
  /** Adds a row that was just read or written. */
  keep(row: ThreadColumns): CachedThread
  forget(id: ThreadId): void
  /** Reads the turns of the runs that the records are about, unless they are known. */
  loadRuns(thread: CachedThread, records: readonly LedgerRecord[]): Promise<void>
}

// So many threads may be active without a query at each commit.
const MAX_KNOWN = 10_000

export function createKnownThreads(database: Database): KnownThreads {
  const known = new Map<ThreadId, CachedThread>()

  function keep(row: ThreadColumns): CachedThread {
    const { no, id, user_id: userId, last_seq: lastSeq, pages } = row
    const thread = {
      no,
      id,
      userId,
      lastSeq,
      pages,
      row: toThread(row),
      runs: new Set<RunId>(),
      turns: new Map(),
    }
    if (known.size >= MAX_KNOWN) known.delete(known.keys().next().value!)
    known.set(id, thread)
    return thread
  }

  return {
    keep,
    async get(id) {
      const there = known.get(id)
      if (there) return there
      const [row] = await database.read<ThreadColumns>('SELECT * FROM threads WHERE id = $1', [id])
      return row && keep(row)
    },
    forget: (id) => void known.delete(id),
    async loadRuns(thread, records) {
      const wanted = runsIn(records).filter((id) => !thread.runs.has(id))
      if (wanted.length === 0) return
      const rows = await database.read<RunColumns>(
        `SELECT ${RUN_COLUMNS} FROM runs
        WHERE thread = $1 AND root IN (SELECT root FROM runs WHERE thread = $1 AND id = ANY($2)) ORDER BY no`,
        [thread.no, wanted],
      )
      for (const run of rows.map(toStoredRun)) rememberRun(thread, run)
    },
  }
}

export function rememberRun(thread: CachedThread, run: StoredRun): void {
  thread.turns.set(run.row.id, run)
  thread.runs.add(run.row.id)
}

/** Runs that were started before this commit. */
function runsIn(records: readonly LedgerRecord[]): RunId[] {
  const wanted = new Set<RunId>()
  const started = new Set<RunId>()
  for (const record of records) {
    if (record.type === 'run-start') {
      started.add(record.run.runId)
      if (record.run.parent) wanted.add(record.run.parent.runId)
    } else if ('runId' in record && needsRun(record)) wanted.add(record.runId)
  }
  return [...wanted].filter((id) => !started.has(id))
}

/** The depth of its run decides whether a message is found by the search. */
const needsRun = (record: LedgerRecord): boolean =>
  record.type === 'message'
    ? record.message.role === 'user' && record.message.delivery !== undefined
    : record.type !== 'usage' && record.type !== 'history-replace'
