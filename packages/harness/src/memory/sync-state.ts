import type { SyncEntry } from '../ports/sync-source.ts'

/** What a sync may use. */
export interface SyncLimits {
  /** Items that were last changed before this many days are left out. 0: none is. */
  readonly days: number
  /** Pages of one run. The next run goes on. */
  readonly pages: number
  /** Items that one run stores. The next run goes on. */
  readonly items: number
  /** Requests of one day, in UTC. */
  readonly requestsPerDay: number
  /** Tokens of text that are stored in one day, in UTC. No model reads them; four characters count as one. */
  readonly tokensPerDay: number
}

/** What a sync may use by default. */
export const SYNC_LIMITS: SyncLimits = {
  days: 365,
  pages: 200,
  items: 10_000,
  requestsPerDay: 500,
  tokensPerDay: 5_000_000,
}

/** What came of the items of a sync. */
export interface SyncCounts {
  readonly pages: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
  /** Older than the limit of days. */
  readonly tooOld: number
  readonly failed: number
}

/** The counts of a sync that begins. */
export const NO_COUNTS: SyncCounts = {
  pages: 0,
  added: 0,
  changed: 0,
  unchanged: 0,
  removed: 0,
  tooOld: 0,
  failed: 0,
}

/** Something that went wrong with an item or a page. */
export interface SyncProblem {
  readonly at: number
  /** The id of the item in its app. Absent: a page. */
  readonly item?: string
  readonly message: string
}

/** Why a run ended. `done`: everything was seen. */
export type SyncEnd = 'done' | 'pages' | 'items' | 'requests' | 'tokens'

/** What is kept between runs. Stored as JSON after each page. */
export interface SyncState {
  /** Of the next page; when no sync is under way, where a list of changes goes on. */
  readonly cursor?: string
  /** The sync that is under way. */
  readonly pass?: SyncPass
  /** Of the sync that is under way, else of the last one. */
  readonly counts: SyncCounts
  /** What was used on this day. */
  readonly used: { readonly day: string; readonly requests: number; readonly tokens: number }
  /** The newest problems of this sync. */
  readonly problems: readonly SyncProblem[]
  /** Items of a list of changes that could not be read. They are tried again. */
  readonly retry: readonly (SyncEntry & { readonly attempts: number })[]
  /** How often the page at `cursor` failed in a row. */
  readonly pageFailures: number
  /** When everything was last seen. */
  readonly lastDoneAt?: number
  /** When a list was last read to its end, so that deletions were noticed. */
  readonly lastWholeAt?: number
  readonly end?: SyncEnd
}

/** One sync from its first page to its last, over as many runs as it needs. */
export interface SyncPass {
  readonly startedAt: number
  /** Ends at the first page on which nothing changed. */
  readonly isQuick: boolean
  /** Items that were listed and are unchanged, as marks of equal length. */
  readonly seen: string
}

/** The state before the first sync. */
export const NEW_SYNC: SyncState = {
  counts: NO_COUNTS,
  used: { day: '', requests: 0, tokens: 0 },
  problems: [],
  retry: [],
  pageFailures: 0,
}
