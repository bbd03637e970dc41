import { readFileSync } from 'node:fs'
import type { MemoryItem } from '../../user-memory.ts'

/** A query with the items that answer it. Nothing does where there are none. */
export interface RecallQuery {
  readonly q: string
  readonly want: readonly string[]
  readonly kind: string
  /** The search was mended on half A. Half B was only measured. */
  readonly half: 'A' | 'B'
  readonly lang: string
}

const readLines = <Row>(name: string): Row[] =>
  readFileSync(new URL(name, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** 280 items in 14 languages. All people, places and numbers in them are invented. */
export const readItems = (): (MemoryItem & { readonly lang: string })[] =>
  readLines<Omit<MemoryItem, 'at'> & { readonly at: string; readonly lang: string }>('items.jsonl').map(
    (item) => ({ ...item, externalId: item.id, at: Date.parse(item.at), seenAt: 0 }),
  )

export const readQueries = (): RecallQuery[] => readLines<RecallQuery>('queries.jsonl')
