import { readFileSync } from 'node:fs'
import type { Embedder } from '@capstan/harness/models'
import { CONFIDENT_SCORE, createMemoryUserMemory, toUnit } from '@capstan/harness/stores'
import type { MemoryItem, MemoryHit } from '@capstan/harness/stores'
import { embedItems } from '../embed-items.ts'

/** A query with the items that answer it. Nothing does where there are none. */
export interface RecallQuery {
  readonly q: string
  readonly want: readonly string[]
  readonly kind: string
  readonly lang: string
}

export type RecallItem = MemoryItem & { readonly lang: string }

const readLines = <Row>(file: URL | string): Row[] =>
  readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)

/** Reads items as `capstan memory import` takes them. */
export const readRecallItems = (file: URL | string): RecallItem[] =>
  readLines<Omit<RecallItem, 'at'> & { readonly at: string }>(file).map((item) => ({
    ...item,
    externalId: item.id,
    at: Date.parse(item.at),
    seenAt: 0,
  }))

export const readRecallQueries = (file: URL | string): RecallQuery[] => readLines(file)

/** What a search found for a query, by words and with vectors. */
export interface Measured {
  readonly query: RecallQuery
  readonly byWords: readonly MemoryHit[]
  readonly withVectors: readonly MemoryHit[]
}

/** Searches everything twice. */
export async function measureRecall(
  items: readonly MemoryItem[],
  queries: readonly RecallQuery[],
  embedder: Embedder,
): Promise<readonly Measured[]> {
  const memory = createMemoryUserMemory()
  const { signal } = new AbortController()
  await memory.put('user', items)
  for (let from = 0; from < items.length; from += 32) {
    const { embedded } = await embedItems(embedder, items.slice(from, from + 32), signal)
    await memory.vectors.put('user', embedder.id, embedded)
  }
  const measured: Measured[] = []
  for (const query of queries) {
    const asked = { words: query.q, limit: 5 }
    const [made = []] = (await embedder.embed([query.q], signal)).vectors
    const values = toUnit(made)!
    const byWords = await memory.search('user', asked)
    const withVectors = await memory.search('user', { ...asked, vector: { model: embedder.id, values } })
    measured.push({ query, byWords, withVectors })
  }
  return measured
}

/** The share of queries of which an answer is among the hits. */
export function recallOf(measured: readonly Measured[], by: 'byWords' | 'withVectors'): number {
  const answered = measured.filter(({ query }) => query.want.length > 0)
  const found = answered.filter(({ query, [by]: hits }) =>
    hits.some(({ item }) => query.want.includes(item.id)),
  )
  return found.length / answered.length
}

/** Queries without an answer that got a confident hit. */
export const wronglySure = (measured: readonly Measured[], by: 'byWords' | 'withVectors'): number =>
  measured.filter(
    ({ query, [by]: hits }) => query.want.length === 0 && (hits[0]?.score ?? 0) >= CONFIDENT_SCORE,
  ).length
