import type { RunPage, RunRow } from '@capstan/protocol'

/**
 * The rows of all pages, each once. The first page is read again while older pages stay: a run that moved to the next
 * page is shown once, as it was read last.
 */
export function joinPages(pages: readonly RunPage[]): readonly RunRow[] {
  const rows = new Map<string, RunRow>()
  for (const { runs } of pages) for (const run of runs) if (!rows.has(run.id)) rows.set(run.id, run)
  return [...rows.values()]
}
