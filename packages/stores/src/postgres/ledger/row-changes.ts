import type { ApprovalRequest } from '@capstan/harness/stores'
import type { RunId, ThreadRow } from '@capstan/protocol'
import type { KnownThread, Rows } from '../../shared/ledger/write-rows.ts'
import type { StoredRun } from '../../shared/runs/stored-run.ts'
import { rememberRun } from './known-threads.ts'
import type { CachedThread } from './known-threads.ts'

/** The rows that one commit changes, gathered in memory: they are sent with the page, in one statement. */
export interface RowChanges extends Rows {
  /** Set when a turn starts or ends. */
  readonly touched: () => ThreadRow | undefined
  readonly newRuns: ReadonlyMap<RunId, StoredRun>
  readonly changedRuns: ReadonlyMap<RunId, StoredRun>
  readonly requests: readonly ApprovalRequest[]
  readonly mediaBytes: ReadonlyMap<string, Uint8Array>
  /** By id: whether the message is queued now. */
  readonly queued: ReadonlyMap<string, boolean>
  /** Call it once they were stored. */
  keep(): void
}

export function createRowChanges(thread: CachedThread): RowChanges {
  let touched: ThreadRow | undefined
  const newRuns = new Map<RunId, StoredRun>()
  const changedRuns = new Map<RunId, StoredRun>()
  const requests: ApprovalRequest[] = []
  const mediaBytes = new Map<string, Uint8Array>()
  const queued = new Map<string, boolean>()

  const getRun = (id: RunId): StoredRun | undefined =>
    newRuns.get(id) ?? changedRuns.get(id) ?? thread.turns.get(id)
  return {
    touched: () => touched,
    newRuns,
    changedRuns,
    requests,
    mediaBytes,
    queued,
    threads: {
      get: () => touched ?? thread.row,
      update: (row) => {
        touched = row
      },
    },
    runs: {
      get: getRun,
      // Those of other commits are found by the index of the table.
      findByMessage: (_no, messageId) =>
        [...newRuns.values(), ...thread.turns.values()].find(
          (run) => run.messageId === messageId.toWellFormed(),
        ),
      ofTurn: (_no, root) =>
        [...new Set([...thread.turns.keys(), ...newRuns.keys()])]
          .map((id) => getRun(id)!)
          .filter((run) => run.root === root),
      insert(given) {
        const root = given.root.toWellFormed() as RunId
        newRuns.set(given.row.id, { ...given, root, messageId: given.messageId?.toWellFormed() })
      },
      update(run, row) {
        const runs = newRuns.has(row.id) ? newRuns : changedRuns
        runs.set(row.id, { ...run, row })
      },
    },
    approvals: { insert: (_thread: KnownThread, request) => void requests.push(request) },
    media: { put: (_no, ref, bytes) => void mediaBytes.set(ref, bytes) },
    queue: {
      add: (_no, id) => void queued.set(id, true),
      remove: (_no, id) => void queued.set(id, false),
    },
    keep() {
      for (const run of [...newRuns.values(), ...changedRuns.values()]) rememberRun(thread, run)
      forgetEndedTurns(thread, [...changedRuns.values(), ...newRuns.values()])
    },
  }
}

/** Nothing more happens in a turn that has ended. */
function forgetEndedTurns(thread: CachedThread, changed: readonly StoredRun[]): void {
  for (const { row, root } of changed) {
    if (row.id !== root || !row.outcome) continue
    for (const [id, run] of thread.turns) {
      if (run.root !== root) continue
      thread.turns.delete(id)
      thread.runs.delete(id)
    }
  }
}
