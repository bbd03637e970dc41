import type { MaybePromise } from '../turn/maybe-promise.ts'
import type { UserFacts } from './user-facts.ts'
import type { QueryVector, UserVectors } from './user-vectors.ts'

/** What an app holds, as it was last seen. All of it is text of others. */
export interface MemoryItem {
  /** Unique among the items of a user. */
  readonly id: string
  readonly app: string
  /** Which account of the app. Absent where an app has one. */
  readonly account?: string
  /** The id in the app. */
  readonly externalId: string
  /** What the app calls this state of it: a number, a time, a hash. */
  readonly version?: string
  /** When it was written or takes place, in milliseconds. */
  readonly at: number
  readonly title: string
  readonly text: string
  /** Where a person opens it. */
  readonly link?: string
  /** Names as the app spells them. */
  readonly people: readonly string[]
  readonly seenAt: number
}

/** An item that a search found. */
export interface MemoryHit {
  readonly item: MemoryItem
  /** 0 to 1. From `CONFIDENT_SCORE` on, most of the query is in the item. */
  readonly score: number
}

/** Items that came from one place. */
export interface MemorySource {
  readonly app: string
  readonly account?: string
}

/** Which items to list. */
export interface MemoryQuery {
  readonly app?: string
  readonly account?: string
  /** The last item of the page before. */
  readonly cursor?: Pick<MemoryItem, 'at' | 'id'>
  readonly limit?: number
}

/** What to look for. */
export interface MemorySearch {
  readonly words: string
  /** Default 5. */
  readonly limit?: number
  /** The words as a vector. Items that are close to it are found, too; none becomes confident by that. */
  readonly vector?: QueryVector
}

/** What was seen in the apps of each user, to be found again. Nobody reaches the items of another user. */
export interface UserMemory {
  /** What is known about each user. */
  readonly facts: UserFacts
  /** By which items are also found in other words, if there is an embedding model. */
  readonly vectors: UserVectors
  /** Adds items, and replaces those with the same ids: all or none of them. Answers how many were new. */
  put(userId: string, items: readonly MemoryItem[]): MaybePromise<{ readonly added: number }>
  get(userId: string, id: string): MaybePromise<MemoryItem | undefined>
  /** Newest first by `at`. */
  list(userId: string, query?: MemoryQuery): MaybePromise<readonly MemoryItem[]>
  /** Where the items are from, and how many. Empty: the user has none. */
  sources(userId: string): MaybePromise<readonly (MemorySource & { readonly count: number })[]>
  /** Best first. Words, their other forms, references, names and dates are found, also misspelt. */
  search(userId: string, query: MemorySearch): MaybePromise<readonly MemoryHit[]>
  /** Deletes items, their vectors and what else they are found by. Answers how many there were. */
  remove(userId: string, ids: readonly string[]): MaybePromise<number>
  /** Deletes all items of an app, or of one of its accounts. Answers how many there were. */
  removeAll(userId: string, source: MemorySource): MaybePromise<number>
}
