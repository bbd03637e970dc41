import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { MemoryItem } from './user-memory.ts'

/** What an embedding model made of a query. */
export interface QueryVector {
  /** Vectors of other models mean something else. */
  readonly model: string
  /** Of length 1. */
  readonly values: Float32Array
}

/** An item as it was embedded, and a vector of length 1 for each of its passages. */
export interface ItemVectors {
  readonly item: MemoryItem
  /** None: the model cannot embed it. */
  readonly vectors: readonly Float32Array[]
}

/** An item that a query is close to. */
export interface NearItem {
  readonly item: MemoryItem
  /** Of its closest passage. */
  readonly cosine: number
}

/** Vectors of items, by which they are also found in other words. Deleting an item deletes its vectors. */
export interface UserVectors {
  /** Items that were not embedded by this model yet, the newest rows first. */
  missing(userId: string, model: string, limit: number): MaybePromise<readonly MemoryItem[]>
  /** How many items were embedded by this model, and how many were not. */
  count(userId: string, model: string): MaybePromise<{ readonly done: number; readonly missing: number }>
  /**
   * Keeps the vectors of items, in the place of those they had. An item that was deleted, or whose text changed meanwhile, is
   * left out. Answers how many kept theirs.
   */
  put(userId: string, model: string, embedded: readonly ItemVectors[]): MaybePromise<number>
  /** The items that stand out from the others as close to the query, closest first. */
  nearest(userId: string, query: QueryVector, limit: number): MaybePromise<readonly NearItem[]>
  /** Deletes all vectors of a user. The items stay. */
  removeAll(userId: string): MaybePromise<void>
}
