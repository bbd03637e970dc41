import { describe, expect, it } from 'vitest'
import { CONFIDENT_SCORE } from '../../ports/item-search/score-item.ts'
import { toUnit } from '../../ports/item-vectors/vector-bytes.ts'
import type { Store } from '../../ports/store.ts'
import type { MemoryItem } from '../../ports/user-memory.ts'
import type { QueryVector } from '../../ports/user-vectors.ts'

const MODEL = 'test/first'
const DIMENSIONS = 40
const COUNT = 30

/** Points in one of few directions, and a bit in one of its own. */
function vectorOf(direction: number, own = 0): Float32Array {
  const values = new Float32Array(DIMENSIONS).fill(0.01)
  values[direction] = 1
  values[(own % 20) + 20]! += 0.2
  return toUnit(values)!
}

const query = (direction: number, model = MODEL): QueryVector => ({ model, values: vectorOf(direction) })

const item = (n: number, fields: Partial<MemoryItem> = {}): MemoryItem => ({
  id: `item_${n}`,
  app: 'notes',
  externalId: `page-${n}`,
  at: Date.UTC(2026, 2, 14),
  title: `Page ${n}`,
  text: `Nothing in particular, for the ${n}th time.`,
  people: [],
  seenAt: 1,
  ...fields,
})

const ITEMS = Array.from({ length: COUNT }, (_none, n) => item(n))

/** A user with items, of which each points in a direction: the third one alone in the third. */
async function fill({ memory }: Store, userId = 'ana'): Promise<void> {
  await memory.put(userId, ITEMS)
  const embedded = ITEMS.map((one, n) => ({
    item: one,
    vectors: [vectorOf(n === 3 ? 3 : n % 2, n), vectorOf(0, n)],
  }))
  expect(await memory.vectors.put(userId, MODEL, embedded)).toBe(COUNT)
}

const idsOf = (found: readonly { readonly item: MemoryItem }[]): string[] => found.map((one) => one.item.id)

/** What a store promises about the vectors of items. */
export function testVectors(open: () => Promise<Store>, reopen?: (store: Store) => Promise<Store>): void {
  describe('vectors', () => {
    it('finds the items that stand out, closest first, with their cosine', async () => {
      const store = await open()
      await fill(store)
      const near = await store.memory.vectors.nearest('ana', query(3), 5)
      expect(idsOf(near)).toEqual(['item_3'])
      expect(near[0]?.item).toEqual(ITEMS[3])
      expect(near[0]?.cosine).toBeGreaterThan(0.9)
    })

    it('adds what is close to what the words find, and makes nothing confident', async () => {
      const store = await open()
      await fill(store)
      const words = 'an umbrella for the harbour'
      expect(idsOf(await store.memory.search('ana', { words }))).not.toContain('item_3')
      const hits = await store.memory.search('ana', { words, vector: query(3) })
      expect(hits[0]?.item.id).toBe('item_3')
      for (const { score } of hits) expect(score).toBeLessThan(CONFIDENT_SCORE)
      const [sure] = await store.memory.search('ana', { words: 'Page 7', vector: query(3) })
      expect(sure?.item.id).toBe('item_7')
    })

    it('says which items are not embedded by a model, the newest first', async () => {
      const { memory } = await open()
      await memory.put('ana', ITEMS.slice(0, 3))
      const [first, second, third] = ITEMS
      expect(idsOf((await memory.vectors.missing('ana', MODEL, 2)).map((one) => ({ item: one })))).toEqual([
        third!.id,
        second!.id,
      ])
      // One without vectors cannot be embedded, and is not asked for again.
      await memory.vectors.put('ana', MODEL, [
        { item: first!, vectors: [vectorOf(1)] },
        { item: second!, vectors: [] },
      ])
      expect(await memory.vectors.missing('ana', MODEL, 10)).toEqual([third])
      expect(await memory.vectors.count('ana', MODEL)).toEqual({ done: 2, missing: 1 })
      expect(await memory.vectors.count('ana', 'test/second')).toEqual({ done: 0, missing: 3 })
    })

    it('compares vectors of one model and as many dimensions only', async () => {
      const store = await open()
      await fill(store)
      const { vectors } = store.memory
      expect(await vectors.nearest('ana', query(3, 'test/second'), 5)).toEqual([])
      expect(await vectors.nearest('ana', { model: MODEL, values: new Float32Array([1]) }, 5)).toEqual([])
      await vectors.put('ana', 'test/second', [{ item: ITEMS[3]!, vectors: [vectorOf(3)] }])
      expect(idsOf(await vectors.nearest('ana', query(3), 5))).not.toContain('item_3')
      expect(idsOf(await vectors.nearest('ana', query(3, 'test/second'), 5))).toEqual(['item_3'])
    })

    it('deletes the vectors of an item that is deleted, one by one or with its app', async () => {
      const store = await open()
      await fill(store)
      const { memory } = store
      await memory.vectors.nearest('ana', query(3), 5)
      await memory.remove('ana', ['item_3'])
      expect(idsOf(await memory.vectors.nearest('ana', query(3), 5))).not.toContain('item_3')
      await memory.put('ana', [ITEMS[3]!])
      expect(await memory.vectors.missing('ana', MODEL, 5)).toEqual([ITEMS[3]])
      await memory.removeAll('ana', { app: 'notes' })
      expect(await memory.vectors.nearest('ana', query(0), 5)).toEqual([])
      expect(await memory.vectors.count('ana', MODEL)).toEqual({ done: 0, missing: 0 })
    })

    it('keeps the vectors of an item whose text stays the same, and drops them when it changes', async () => {
      const store = await open()
      await fill(store)
      const { memory } = store
      await memory.put('ana', [{ ...ITEMS[3]!, version: '2', people: ['Ida'] }])
      expect(idsOf(await memory.vectors.nearest('ana', query(3), 5))).toEqual(['item_3'])
      expect(await memory.vectors.missing('ana', MODEL, 5)).toEqual([])
      const changed = { ...ITEMS[3]!, text: 'Something else.' }
      await memory.put('ana', [changed])
      expect(idsOf(await memory.vectors.nearest('ana', query(3), 5))).not.toContain('item_3')
      // Its vectors were made of the old text.
      expect(await memory.vectors.put('ana', MODEL, [{ item: ITEMS[3]!, vectors: [vectorOf(3)] }])).toBe(0)
      expect(await memory.vectors.missing('ana', MODEL, 5)).toEqual([changed])
    })

    it('keeps the vectors of users apart, and deletes all of one', async () => {
      const store = await open()
      await fill(store)
      const { vectors } = store.memory
      expect(await vectors.nearest('ben', query(3), 5)).toEqual([])
      expect(await vectors.put('ben', MODEL, [{ item: ITEMS[3]!, vectors: [vectorOf(3)] }])).toBe(0)
      await fill(store, 'ben')
      await vectors.removeAll('ana')
      expect(await vectors.nearest('ana', query(3), 5)).toEqual([])
      expect(await vectors.count('ana', MODEL)).toEqual({ done: 0, missing: COUNT })
      expect(idsOf(await vectors.nearest('ben', query(3), 5))).toEqual(['item_3'])
    })

    it('finds what was added after a search', async () => {
      const store = await open()
      await fill(store)
      const { memory } = store
      await memory.vectors.nearest('ana', query(4), 5)
      const late = item(99)
      await memory.put('ana', [late])
      await memory.vectors.put('ana', MODEL, [{ item: late, vectors: [vectorOf(4)] }])
      expect(idsOf(await memory.vectors.nearest('ana', query(4), 5))).toEqual([late.id])
    })

    it.skipIf(!reopen)('keeps vectors when it is opened again', async () => {
      const store = await open()
      await fill(store)
      const again = await reopen!(store)
      expect(idsOf(await again.memory.vectors.nearest('ana', query(3), 5))).toEqual(['item_3'])
    })
  })
}
