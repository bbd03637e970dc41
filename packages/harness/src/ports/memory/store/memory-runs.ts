import { NO_USAGE, sumUsage } from '@capstan/protocol'
import type { CallRow, RunRow, UsageRow } from '@capstan/protocol'
import { checkRunQuery } from '../../rows/run-query.ts'
import type { RunCursor, RunStore } from '../../store.ts'
import { toCallRow } from '../../rows/call-row.ts'
import type { RunState, Tables, ThreadTable } from './tables.ts'

/** The runs of a store in memory. */
export function createMemoryRuns(open: () => Tables): RunStore {
  const threadsOf = (userId: string, threadId: ThreadTable['row']['id'] | undefined): ThreadTable[] => {
    const { threads } = open()
    const one = threadId !== undefined && threads.get(threadId)
    const all = threadId === undefined ? [...threads.values()] : one ? [one] : []
    return all.filter(({ row }) => row.userId === userId)
  }

  return {
    get(id) {
      return copyRow(open().runs.get(id))
    },
    findByMessage(threadId, messageId) {
      return copyRow(open().threads.get(threadId)?.byMessage.get(messageId))
    },
    list(query) {
      checkRunQuery(query)
      const { userId, threadId, status, depth, cursor, before = Infinity, limit } = query
      const rows = threadsOf(userId, threadId)
        .flatMap(({ runs }) => runs)
        .toSorted((a, b) => b.row.startedAt - a.row.startedAt || b.no - a.no)
        .map(({ row }) => row)
      return (cursor ? rowsAfter(rows, cursor) : rows)
        .filter(
          (row) =>
            (status === undefined || row.status === status) &&
            (depth === undefined || row.depth === depth) &&
            row.startedAt < before,
        )
        .slice(0, limit)
        .map((row) => ({ ...row }))
    },
    unfinished() {
      return [...open().runs.values()]
        .map(({ row }) => row)
        .filter(({ depth, outcome }) => depth === 0 && !outcome)
        .toSorted((a, b) => a.startedAt - b.startedAt)
        .map((row) => ({ ...row }))
    },
    findWaiting({ kind, id }) {
      for (const run of open().runs.values()) {
        const { waitsFor } = run.row
        if (waitsFor?.kind === kind && waitsFor.id === id) return copyRow(turnOf(run))
      }
      return undefined
    },
    tree(id) {
      const root = open().runs.get(id)
      if (!root) return []
      const runs = [root]
      // The list grows while the loop reads it.
      for (const run of runs) runs.push(...run.children)
      return runs.map(({ row }) => ({ ...row }))
    },
    calls(runIds) {
      const { runs } = open()
      const found: { readonly row: CallRow; readonly tick: number }[] = []
      for (const runId of new Set(runIds)) {
        const run = runs.get(runId)
        if (!run) continue
        const { threadId } = run.row
        for (const { intent, result, tick } of run.calls.values())
          found.push({ row: toCallRow({ runId, threadId, intent, result }), tick })
      }
      return found.toSorted((a, b) => a.tick - b.tick).map(({ row }) => row)
    },
    usage({ userId, threadId, since = -Infinity }) {
      const rows = new Map<string, UsageRow>()
      const kept = threadId === undefined ? (open().keptUsages.get(userId) ?? []) : []
      for (const usages of [kept, ...threadsOf(userId, threadId).map((thread) => thread.usages)]) {
        for (const { at, model, usage } of usages) {
          if (at < since) continue
          const row = rows.get(model) ?? { model, calls: 0, usage: NO_USAGE }
          rows.set(model, { model, calls: row.calls + 1, usage: sumUsage(row.usage, usage) })
        }
      }
      return [...rows.values()]
    },
    recordUsage(userId, used) {
      const { keptUsages } = open()
      keptUsages.set(userId, [...(keptUsages.get(userId) ?? []), used])
    },
  }
}

function rowsAfter(rows: readonly RunRow[], { id, startedAt }: RunCursor): readonly RunRow[] {
  const at = rows.findIndex((row) => row.id === id)
  return at < 0 ? rows.filter((row) => row.startedAt <= startedAt) : rows.slice(at + 1)
}

function turnOf(run: RunState): RunState {
  return run.parent ? turnOf(run.parent) : run
}

const copyRow = (run: RunState | undefined): RunRow | undefined => run && { ...run.row }
