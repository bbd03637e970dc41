import type { FactStatus, MemoryFact } from '@capstan/protocol'
import { MAX_FACT_CHARS } from '@capstan/protocol'
import { StoreError } from '../turn/errors.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** What came of adding a fact: `full` when the user has `MAX_FACTS`, `known` when the id is there. */
export type FactAdded = 'added' | 'full' | 'known'

/** What a person changed about a fact, and when. */
export interface FactChange {
  readonly text?: string
  readonly status?: FactStatus
  readonly at: number
}

/**
 * What is known about each user. Nobody reaches the facts of another user. A text that `checkFactText` refuses is a
 * `StoreError` of kind `invalid`.
 */
export interface UserFacts {
  add(userId: string, fact: MemoryFact): MaybePromise<FactAdded>
  get(userId: string, id: string): MaybePromise<MemoryFact | undefined>
  /** Newest first. */
  list(userId: string, query?: { readonly status?: FactStatus }): MaybePromise<readonly MemoryFact[]>
  /** Answers with the changed fact. Undefined: there is none. */
  change(userId: string, id: string, change: FactChange): MaybePromise<MemoryFact | undefined>
  /** Answers how many there were. */
  remove(userId: string, ids: readonly string[]): MaybePromise<number>
  removeAll(userId: string): MaybePromise<number>
}

/** Throws a `StoreError` of kind `invalid` for an empty text and for one that is too long. */
export function checkFactText(text: string): void {
  if (text.trim() === '') throw new StoreError('invalid', 'A fact needs a text.')
  if (text.length > MAX_FACT_CHARS)
    throw new StoreError('invalid', `A fact has at most ${MAX_FACT_CHARS} characters. Make it shorter.`)
}
