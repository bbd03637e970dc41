import { toItemTerms } from '../item-search/item-terms.ts'
import { searchItems } from '../item-search/search-items.ts'
import type { ItemIndex } from '../item-search/search-items.ts'
import { EVERY_ITEM } from '../item-search/term-key.ts'
import { hasSameText } from '../item-vectors/passages.ts'
import type { MemoryItem, UserMemory } from '../user-memory.ts'
import { createMemoryFacts } from './memory-facts.ts'
import { createMemoryVectors } from './memory-vectors.ts'

interface Kept {
  readonly item: MemoryItem
  readonly terms: ReadonlySet<string>
}

/** Items, their vectors and facts in memory. */
export function createMemoryUserMemory(): UserMemory {
  const users = new Map<string, Map<string, Kept>>()
  const of = (userId: string): Map<string, Kept> => users.get(userId) ?? new Map()
  const vectors = createMemoryVectors(
    (userId) => new Map([...of(userId)].map(([id, { item }]) => [id, item] as const)),
  )
  const remove = (userId: string, ids: readonly string[]): number => {
    const kept = of(userId)
    for (const id of ids) vectors.forget(userId, id)
    return ids.filter((id) => kept.delete(id)).length
  }
  return {
    facts: createMemoryFacts(),
    vectors: vectors.port,
    put(userId, items) {
      const kept = of(userId)
      users.set(userId, kept)
      const before = kept.size
      for (const item of items) {
        const old = kept.get(item.id)?.item
        if (old && !hasSameText(old, item)) vectors.forget(userId, item.id)
        kept.set(item.id, { item, terms: toItemTerms(item).add(EVERY_ITEM) })
      }
      return { added: kept.size - before }
    },
    get: (userId, id) => of(userId).get(id)?.item,
    list(userId, { app, account, cursor, limit = Infinity } = {}) {
      return itemsOf(of(userId))
        .filter((item) => (app ?? item.app) === item.app && (account ?? item.account) === item.account)
        .toSorted(newestFirst)
        .filter((item) => !cursor || newestFirst(cursor, item) < 0)
        .slice(0, limit)
    },
    sources(userId) {
      const groups = Map.groupBy(itemsOf(of(userId)), ({ app, account }) => JSON.stringify([app, account]))
      return [...groups.values()].flatMap((items) => {
        const [{ app, account } = { app: '' }] = items
        return [{ app, ...(account !== undefined && { account }), count: items.length }]
      })
    },
    search: (userId, query) =>
      searchItems(
        { ...toIndex(of(userId)), nearest: (vector, limit) => vectors.port.nearest(userId, vector, limit) },
        query,
      ),
    remove,
    removeAll(userId, { app, account }) {
      const ids = itemsOf(of(userId))
        .filter((item) => item.app === app && (account ?? item.account) === item.account)
        .map(({ id }) => id)
      return remove(userId, ids)
    },
  }
}

const itemsOf = (kept: ReadonlyMap<string, Kept>): MemoryItem[] => [...kept.values()].map(({ item }) => item)

type Place = Pick<MemoryItem, 'at' | 'id'>
const newestFirst = (a: Place, b: Place): number => b.at - a.at || (a.id < b.id ? -1 : 1)

function toIndex(kept: ReadonlyMap<string, Kept>): Omit<ItemIndex, 'nearest'> {
  const all = [...kept.values()]
  return {
    count: (asked) =>
      new Map(asked.map((term) => [term, all.filter(({ terms }) => terms.has(term)).length] as const)),
    find: (asked, limit) =>
      all
        .map(({ item, terms }) => ({
          item,
          sum: asked.reduce((sum, { term, weight }) => sum + (terms.has(term) ? weight : 0), 0),
        }))
        .filter(({ sum }) => sum > 0)
        .toSorted((a, b) => b.sum - a.sum)
        .slice(0, limit)
        .map(({ item }) => item),
  }
}
