import { EVERY_ITEM, toItemTerms, toTermKey } from '@capstan/harness/stores'
import type { MemoryItem } from '@capstan/harness/stores'

/** An item as a row. Lists and deletions need the columns, people the rest. */
export interface MemoryColumns {
  readonly id: string
  readonly app: string
  /** Empty where an app has one account. */
  readonly account: string
  /** Text where a driver gives large numbers as text. */
  readonly at: number | string
  readonly body: string
}

export function toMemoryColumns({ id, app, account = '', at, ...rest }: MemoryItem): MemoryColumns {
  return { id, app, account, at, body: JSON.stringify(rest) }
}

export function toMemoryItem({ id, app, account, at, body }: MemoryColumns): MemoryItem {
  const rest = JSON.parse(body) as Omit<MemoryItem, 'id' | 'app' | 'account' | 'at'>
  return { id, app, ...(account !== '' && { account }), at: Number(at), ...rest }
}

/** What the item is found by in an index that users share. */
export const toKeys = (userId: string, item: MemoryItem): number[] =>
  [EVERY_ITEM, ...toItemTerms(item)].map((term) => toTermKey(userId, term))

/** A key as a word of an index. */
export const toIndexWord = (key: number): string => String(key)
