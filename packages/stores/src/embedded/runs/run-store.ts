import { checkRunQuery } from '@capstan/harness/stores'
import type { RunStore } from '@capstan/harness/stores'
import { readCalls } from './call-rows.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { Journal } from '../ledger/journal.ts'
import type { RunRows } from './run-rows.ts'
import { toTree } from '../../shared/runs/to-tree.ts'
import type { ThreadRows } from '../threads/thread-rows.ts'
import type { UsageRows } from './usage-rows.ts'

export function createRunStore(
  { read, write }: StoreAccess,
  journal: Journal,
  rows: { readonly threads: ThreadRows; readonly runs: RunRows; readonly usage: UsageRows },
  changed: (bytes: number) => void,
): RunStore {
  const { threads, runs, usage } = rows
  return {
    get: (id) => read(() => runs.get(id)?.row),
    findByMessage: (threadId, messageId) =>
      read(() => {
        const no = threads.noOf(threadId)
        return no === undefined ? undefined : runs.findByMessage(no, messageId)?.row
      }),
    list: (query) =>
      read(() => {
        checkRunQuery(query)
        const { userId, threadId, status, depth, before = Infinity, cursor, limit = -1 } = query
        return runs.list({ userId, threadId, status, depth, before, cursor, limit }).map(({ row }) => row)
      }),
    unfinished: () => read(() => runs.unfinished().map(({ row }) => row)),
    findWaiting: (waitsFor) =>
      read(() => {
        const waiting = runs.findWaiting(waitsFor)
        const turn = waiting && runs.get(waiting.root)
        return turn?.row.status === 'waiting' ? turn.row : undefined
      }),
    tree: (id) =>
      read(() => {
        const run = runs.get(id)
        return run ? toTree(runs.ofTurn(run.thread, run.root), id).map(({ row }) => row) : []
      }),
    calls: (runIds) => read(() => readCalls(journal, runs, runIds)),
    usage: (query) => read(() => usage.sum(query)),
    recordUsage(userId, used) {
      write(() => usage.addOther(userId, used))
      changed(BYTES_PER_USAGE)
    },
  }
}

// A row and its index entry, roughly.
const BYTES_PER_USAGE = 256
