import type { RunPage, RunRow } from '@capstan/protocol'

/**
 * The rows of all pages, each once. The first page is read again while older ones stay: a run that moved from one to
 * the next is not shown twice, and the newer reading counts.
 */
export function joinPages(pages: readonly RunPage[]): readonly RunRow[] {
  const rows = new Map<string, RunRow>()
  for (const { runs } of pages) for (const run of runs) if (!rows.has(run.id)) rows.set(run.id, run)
  return [...rows.values()]
}
