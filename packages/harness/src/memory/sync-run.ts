import type { SyncSource } from '../ports/sync-source.ts'
import type { UserMemory } from '../ports/user-memory.ts'
import type { Clock } from '../turn/clock.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'
import { askSource } from './ask-source.ts'
import { useOfDay } from './daily-use.ts'
import type { SyncDraft } from './sync-draft.ts'
import type { SyncLimits, SyncState } from './sync-state.ts'
import type { SyncAccount } from './to-item.ts'

/** What a sync works with. */
export interface SyncOptions {
  readonly source: SyncSource
  readonly memory: UserMemory
  readonly userId: string
  readonly account: SyncAccount
  readonly limits?: Partial<SyncLimits>
  /** What the run before left. Absent: this is the first. */
  readonly state?: SyncState
  /** Stores the state. Called after each page, once its items are stored. */
  readonly save: (state: SyncState) => MaybePromise<unknown>
  readonly clock: Clock
  /** Ends the run at once: nothing is stored afterwards. */
  readonly signal: AbortSignal
  /** For one answer of the app. Default 60 seconds. */
  readonly requestTimeoutMs?: number
}

/** One run: its options, the state it changes, and what it has used. */
export interface SyncRun extends SyncOptions {
  readonly bounds: SyncLimits
  readonly draft: SyncDraft
  pages: number
  items: number
}

const REQUEST_TIMEOUT_MS = 60_000

/** Asks the app once and counts the request. */
export function request<Answer>(
  run: SyncRun,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const { clock, signal, requestTimeoutMs: timeoutMs = REQUEST_TIMEOUT_MS, draft } = run
  const used = useOfDay(draft.used, clock.now())
  draft.used = { ...used, requests: used.requests + 1 }
  return askSource(ask, { clock, signal, timeoutMs })
}
