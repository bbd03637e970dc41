import { describe, expect, it } from 'vitest'
import { createMemoryUserMemory } from '../../memory/memory-user-memory.ts'
import { CONFIDENT_SCORE } from '../score-item.ts'
import { readItems, readQueries } from './read-lines.fixture.ts'
import type { RecallQuery } from './read-lines.fixture.ts'

const PLAIN = ['exact', 'inflected', 'id', 'person', 'date']
const memory = createMemoryUserMemory()
await memory.put('user', readItems())

const find = async (words: string) => memory.search('user', { words, limit: 5 })
const isFound = async ({ q, want }: RecallQuery): Promise<boolean> =>
  (await find(q)).some(({ item }) => want.includes(item.id))
const recall = async (queries: readonly RecallQuery[]): Promise<number> => {
  const found = await Promise.all(queries.map(isFound))
  return found.filter(Boolean).length / queries.length
}

describe.each(['A', 'B'] as const)('a search without a model, half %s of the queries', (half) => {
  const queries = readQueries().filter((query) => query.half === half)
  const answered = queries.filter(({ want }) => want.length > 0)

  it('finds words, their other forms, references, people and dates in 14 languages', async () => {
    expect(await recall(answered.filter(({ kind }) => PLAIN.includes(kind)))).toBeGreaterThanOrEqual(0.98)
  })

  it('finds most of all kinds, also misspelt, in other words and in another language', async () => {
    expect(await recall(answered)).toBeGreaterThanOrEqual(0.92)
  })

  it('is not confident about a query that nothing answers', async () => {
    for (const { q } of queries.filter(({ want }) => want.length === 0)) {
      const [best] = await find(q)
      expect(best?.score ?? 0, q).toBeLessThan(CONFIDENT_SCORE)
    }
  })

  it('is confident about exact words and references', async () => {
    for (const { q, kind } of answered) {
      if (kind !== 'exact' && kind !== 'id') continue
      const [best] = await find(q)
      expect(best?.score ?? 0, q).toBeGreaterThanOrEqual(CONFIDENT_SCORE)
    }
  })
})
