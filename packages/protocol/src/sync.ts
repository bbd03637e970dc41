import type { JobSummary } from './job.ts'

/** How often a connection is synced, and what that may use. */
export interface SyncSettings {
  /** Minutes from one sync to the next. */
  readonly intervalMinutes: number
  /** Items that were last changed before this many days are left out. 0: none is. */
  readonly days: number
  /** Pages of one run. The next run goes on. */
  readonly pages: number
  /** Items that one run stores. The next run goes on. */
  readonly items: number
  /** Requests of one day, in UTC. */
  readonly requestsPerDay: number
  /** Tokens of text that are stored in one day, in UTC. */
  readonly tokensPerDay: number
}

/** The least and the most of each setting of a sync. */
export const SYNC_BOUNDS = {
  intervalMinutes: { min: 15, max: 10_080 },
  days: { min: 0, max: 36_500 },
  pages: { min: 1, max: 10_000 },
  items: { min: 1, max: 100_000 },
  requestsPerDay: { min: 1, max: 100_000 },
  tokensPerDay: { min: 1_000, max: 100_000_000 },
} as const satisfies Record<keyof SyncSettings, { readonly min: number; readonly max: number }>

/** What a sync is expected to need before it has seen everything once. */
export interface SyncEstimate {
  readonly items: number
  readonly requests: number
  /** Of stored text. */
  readonly tokens: number
  /** Days it takes under the limits of a day. */
  readonly days: number
  /** The app does not say how much it holds: it may be more than this. */
  readonly isAtLeast: boolean
  /** The model that makes vectors of its text. Absent: no model is used, and it costs no money. */
  readonly embedder?: string
}

/** What came of the items of the sync that is under way, else of the last one. */
export interface SyncProgress {
  readonly pages: number
  readonly added: number
  readonly changed: number
  readonly unchanged: number
  readonly removed: number
  readonly tooOld: number
  readonly failed: number
  /** How many items the app said it holds when the sync was switched on. */
  readonly expected?: number
}

/** The memory sync of one connection, as screens show it. */
export interface SyncView {
  readonly connectionId: string
  readonly toolkit: string
  /** The name of the account. */
  readonly label: string
  readonly isOn: boolean
  readonly settings: SyncSettings
  /** Absent: it is off. */
  readonly job?: JobSummary
  readonly progress?: SyncProgress
  /** When everything was last seen. Absent: the first sync is not over. */
  readonly lastDoneAt?: number
  /** A budget of the day is used up, so the next run is tomorrow in UTC. */
  readonly usedUp?: 'requests' | 'tokens'
  /** Items that went wrong in the last sync, newest first. */
  readonly problems: readonly { readonly at: number; readonly item?: string; readonly message: string }[]
}

/** The connections of a user that can be synced. */
export interface SyncList {
  readonly syncs: readonly SyncView[]
}
