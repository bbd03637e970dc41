import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'

/** The kind and the id of the job that embeds what is in the memory of a user. */
export const VECTOR_KIND = 'vectors'

/** What the job keeps. */
export interface VectorMemo {
  /** Tokens that were embedded on this day, in UTC. */
  readonly day: string
  readonly tokens: number
  /** Of the vectors that the model made last. Another number makes all of them anew. */
  readonly model: string
  readonly dimensions: number
  /** `items`: everything is embedded. `day`: a budget of the day is used up. */
  readonly waitsFor?: 'items' | 'day'
}

const NEW: VectorMemo = { day: '', tokens: 0, model: '', dimensions: 0 }

// Only this folder writes states of its kind.
export const readMemo = ({ state }: Pick<JobRow, 'state'>): VectorMemo =>
  state === null ? NEW : (state as unknown as VectorMemo)

/** A new day begins at nothing. */
export function memoOfDay({ waitsFor: _over, ...memo }: VectorMemo, now: number): VectorMemo {
  const day = new Date(now).toISOString().slice(0, 10)
  return memo.day === day ? memo : { ...memo, day, tokens: 0 }
}

/** As a job stores it. */
export const toJson = (memo: VectorMemo): JsonValue => memo as unknown as JsonValue
