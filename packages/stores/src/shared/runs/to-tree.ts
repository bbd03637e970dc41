import type { RunId } from '@capstan/protocol'
import type { StoredRun } from './stored-run.ts'

/** The run and everything below it, parents first. */
export function toTree(runs: readonly StoredRun[], id: RunId): StoredRun[] {
  const tree = runs.filter(({ row }) => row.id === id)
  // The list grows while the loop reads it.
  for (const { row } of tree) tree.push(...runs.filter((run) => run.row.parent?.runId === row.id))
  return tree
}
