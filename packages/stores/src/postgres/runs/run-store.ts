import { checkRunQuery } from '@capstan/harness/stores'
import type { RunQuery, RunStore } from '@capstan/harness/stores'
import type { RunId, ThreadId } from '@capstan/protocol'
import { HOLDS_CALLS } from '../../shared/ledger/page-body.ts'
import { collectCalls } from '../../shared/runs/collect-calls.ts'
import { toWaitKey } from '../../shared/runs/stored-run.ts'
import type { StoredRun } from '../../shared/runs/stored-run.ts'
import { toTree } from '../../shared/runs/to-tree.ts'
import type { Database } from '../database/database.ts'
import { readPages } from '../ledger/journal.ts'
import { RUN_COLUMNS, toStoredRun } from './run-rows.ts'
import type { RunColumns } from './run-rows.ts'
import { insertUsage, sumUsage } from './usage.ts'

export function createRunStore(database: Database): RunStore {
  const find = async (rest: string, values: readonly unknown[] = []): Promise<StoredRun[]> =>
    (await database.read<RunColumns>(`SELECT ${RUN_COLUMNS} FROM runs ${rest}`, values)).map(toStoredRun)
  const get = async (id: RunId): Promise<StoredRun | undefined> => (await find('WHERE id = $1', [id]))[0]

  return {
    get: async (id) => (await get(id))?.row,
    async findByMessage(threadId, messageId) {
      const [run] = await find('WHERE thread = (SELECT no FROM threads WHERE id = $1) AND message_id = $2', [
        threadId,
        messageId,
      ])
      return run?.row
    },
    async list(query) {
      checkRunQuery(query)
      return (await find(...toListQuery(query))).map(({ row }) => row)
    },
    async unfinished() {
      const runs = await find(`WHERE depth = 0 AND status IN ('running', 'waiting') ORDER BY started_at, no`)
      return runs.map(({ row }) => row)
    },
    async findWaiting(waitsFor) {
      const [turn] = await find(
        `WHERE id = (SELECT root FROM runs WHERE waits_for = $1 ORDER BY no LIMIT 1) AND status = 'waiting'`,
        [toWaitKey(waitsFor)],
      )
      return turn?.row
    },
    async tree(id) {
      const runs = await find(
        'WHERE (thread, root) IN (SELECT thread, root FROM runs WHERE id = $1) ORDER BY no',
        [id],
      )
      return toTree(runs, id).map(({ row }) => row)
    },
    calls: (runIds) => readCalls(database, runIds, find),
    usage: (query) => sumUsage(database, query),
    recordUsage: (userId, used) => insertUsage(database, userId, used),
  }
}

/** The rows of a list, newest first. */
function toListQuery(query: RunQuery): [rest: string, values: unknown[]] {
  const { userId, threadId, status = null, depth = null, before = Infinity, cursor, limit = null } = query
  const values: unknown[] = [userId, before, status, depth, limit]
  const value = (given: unknown): string => `$${values.push(given)}`
  const inThread =
    threadId === undefined ? '' : `AND thread = (SELECT no FROM threads WHERE id = ${value(threadId)})`
  // Behind the cursor. If that run was deleted, from the beginning of its millisecond.
  const behind = cursor
    ? `AND (started_at, no) < (${value(cursor.startedAt)}::double precision,
      coalesce((SELECT no FROM runs WHERE id = ${value(cursor.id)} AND user_id = $1), ${Number.MAX_SAFE_INTEGER}))`
    : ''
  const rest = `WHERE user_id = $1 AND started_at < $2 ${inThread} ${behind}
    AND ($3::text IS NULL OR status = $3) AND ($4::integer IS NULL OR depth = $4)
    ORDER BY started_at DESC, no DESC LIMIT $5`
  return [rest, values]
}

/** Calls are read from the journal, for one turn at a time. */
async function readCalls(
  database: Database,
  runIds: readonly RunId[],
  find: (rest: string, values: readonly unknown[]) => Promise<StoredRun[]>,
) {
  const threadIds = new Map<RunId, ThreadId>()
  const firstSeqs = new Map<ThreadId, number>()
  for (const { row, fromSeq } of await find('WHERE id = ANY($1)', [[...runIds]])) {
    threadIds.set(row.id, row.threadId)
    firstSeqs.set(row.threadId, Math.min(firstSeqs.get(row.threadId) ?? Infinity, fromSeq))
  }
  const pages: { readonly id: number; readonly body: string }[] = []
  for (const [threadId, from] of firstSeqs) {
    for await (const page of readPages(database, threadId, { from, kinds: HOLDS_CALLS })) pages.push(page)
  }
  if (firstSeqs.size > 1) pages.sort((a, b) => a.id - b.id)
  return collectCalls(
    pages.map(({ body }) => body),
    threadIds,
  )
}
