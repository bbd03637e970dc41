import type { CallRow, RunId, ThreadId } from '@capstan/protocol'
import { HOLDS_CALLS } from '../../shared/ledger/page-body.ts'
import { collectCalls } from '../../shared/runs/collect-calls.ts'
import type { Journal } from '../ledger/journal.ts'
import type { RunRows } from './run-rows.ts'

/**
 * Calls are read from the journal: they are read for one turn at a time, and rows of their own would double what the most
 * common commit writes. In the order they ended, or started if they have not.
 */
export function readCalls(journal: Journal, runs: RunRows, runIds: readonly RunId[]): CallRow[] {
  const threadIds = new Map<RunId, ThreadId>()
  const firstSeqs = new Map<number, number>()
  for (const runId of runIds) {
    const run = runs.get(runId)
    if (!run) continue
    threadIds.set(runId, run.row.threadId)
    firstSeqs.set(run.thread, Math.min(firstSeqs.get(run.thread) ?? Infinity, run.fromSeq))
  }
  const pages: { readonly id: number; readonly body: string }[] = []
  for (const [thread, from] of firstSeqs) {
    journal.visit(thread, { from, kinds: HOLDS_CALLS }, (page) => void pages.push(page))
  }
  if (firstSeqs.size > 1) pages.sort((a, b) => a.id - b.id)

  return collectCalls(
    pages.map(({ body }) => body),
    threadIds,
  )
}
