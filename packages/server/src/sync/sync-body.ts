import { SYNC_LIMITS } from '@capstan/harness/memory'
import type { SyncState } from '@capstan/harness/memory'
import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'
import type { ConnectionRow, SyncSettings } from '@capstan/protocol'

/** The kind of the jobs that sync a connection. */
export const SYNC_KIND = 'sync'

/** How a connection is synced unless the person says otherwise. */
export const DEFAULT_SETTINGS: SyncSettings = { intervalMinutes: 30, ...SYNC_LIMITS }

/** What a sync job is to do. */
export interface SyncBody {
  readonly connectionId: string
  readonly settings: SyncSettings
  /** How many items the app said it holds when the sync was switched on. */
  readonly expected?: number
  /** Items that a person has forgotten, by their ids in memory, the newest first: they stay out while the sync is on. */
  readonly leftOut?: readonly string[]
  /** Nothing is synced any more: what was synced of this account is deleted, once no run is under way. */
  readonly forget?: { readonly app: string; readonly account: string }
}

/** What a sync job keeps. */
export interface SyncMemo {
  /** Whose items these are. After a sign-in to another account the sync begins anew. */
  readonly account: string
  /** Of the source. With another one the sync begins anew. */
  readonly key?: string
  readonly sync: SyncState
}

/** The id of the job that syncs a connection. */
export const toJobId = (connectionId: string): string => `sync_${connectionId}`

/** The name under which the items of a connection are kept. */
export const toAccount = ({ id, label }: Pick<ConnectionRow, 'id' | 'label'>): string =>
  label.trim() === '' ? id : label

// Only this folder writes bodies and states of its kind.
export const readBody = ({ body }: Pick<JobRow, 'body'>): SyncBody => body as unknown as SyncBody

export const readMemo = ({ state }: Pick<JobRow, 'state'>): SyncMemo | undefined =>
  state === null ? undefined : (state as unknown as SyncMemo)

/** As a job stores it. */
export const toJson = (value: SyncBody | SyncMemo): JsonValue => value as unknown as JsonValue
