// What brings the items of apps into memory.
export { toItemLine } from '../memory/item-line.ts'
export { findExcerpt, markLine } from '../ports/item-search/find-excerpt.ts'
export { createOwnFact } from '../memory/own-fact.ts'
export { nextDay } from '../memory/daily-use.ts'
export { runSync } from '../memory/run-sync.ts'
export type { SyncOptions } from '../memory/sync-run.ts'
export { NEW_SYNC, SYNC_LIMITS } from '../memory/sync-state.ts'
export type {
  SyncCounts,
  SyncEnd,
  SyncLimits,
  SyncPass,
  SyncProblem,
  SyncState,
} from '../memory/sync-state.ts'
export { toItemId } from '../memory/to-item.ts'
export type { SyncAccount } from '../memory/to-item.ts'
export type { SyncEntry, SyncExpectation, SyncPage, SyncSource } from '../ports/sync-source.ts'
