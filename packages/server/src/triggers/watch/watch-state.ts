import { hash } from 'node:crypto'
import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'

/** The kind of the jobs that listen to an app. */
export const WATCH_JOB = 'watch'

/** What a job of this kind is about. */
export interface WatchBody {
  readonly sourceId: string
}

/** What it keeps. */
export interface WatchState {
  /** Of this job: the same state of an item may come again, and is another occurrence then. */
  readonly epoch: string
  /** Triggers so far. */
  readonly count: number
  /** The last version of each item that was reported, by a fingerprint of its id; newest last. */
  readonly versions: { readonly [id: string]: string }
  /** The last list. */
  readonly list?: string
  /** When the last triggers were reported. */
  readonly recent: readonly number[]
}

export const toWatchId = (sourceId: string): string => `watch_${sourceId}`

// Only this folder writes these rows.
export const bodyOf = ({ body }: Pick<JobRow, 'body'>): WatchBody => body as unknown as WatchBody

export function stateOf({ id, state, createdAt }: JobRow): WatchState {
  if (state !== null) return state as unknown as WatchState
  return { epoch: fingerprint(`${id} ${createdAt}`), count: 0, versions: {}, recent: [] }
}

export const toJson = (value: WatchBody | WatchState): JsonValue => value as unknown as JsonValue

export const fingerprint = (text: string): string => hash('sha256', JSON.stringify(text)).slice(0, 24)
