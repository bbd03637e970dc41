import type { SyncEntry } from '../ports/sync-source.ts'
import type { SyncRun } from './sync-run.ts'

const DAY_MS = 24 * 60 * 60_000

/** Items that were last changed before this time are left out. */
export const windowStart = ({ bounds, draft }: Pick<SyncRun, 'bounds' | 'draft'>): number =>
  bounds.days === 0 ? 0 : draft.pass.startedAt - bounds.days * DAY_MS

/** Whether all of these were last changed before the window. */
export const isBefore = (run: SyncRun, entries: readonly SyncEntry[]): boolean =>
  entries.length > 0 && entries.every(({ at }) => at !== undefined && at < windowStart(run))
