import type { MaybePromise } from '../../turn/maybe-promise.ts'
import type { MemoryHit, MemoryItem, MemorySearch } from '../user-memory.ts'
import type { NearItem, QueryVector } from '../user-vectors.ts'
import { letOthersRun } from '../../turn/let-others-run.ts'
import { chooseTerms } from './choose-terms.ts'
import type { WeightedTerm } from './choose-terms.ts'
import { toItemTerms } from './item-terms.ts'
import { mergeHits } from './merge-hits.ts'
import { toQueryParts } from './query-parts.ts'
import { createRarity } from './rarity.ts'
import { MIN_SCORE, scoreItem } from './score-item.ts'
import { EVERY_ITEM } from './term-key.ts'

/** What a store answers about the items of one user. */
export interface ItemIndex {
  /** How many items have each of the terms. Those that no item has may be left out. */
  count(terms: readonly string[]): MaybePromise<ReadonlyMap<string, number>>
  /** Items with the largest sum of weights. */
  find(terms: readonly WeightedTerm[], limit: number): MaybePromise<readonly MemoryItem[]>
  /** See `UserVectors.nearest`. */
  nearest(vector: QueryVector, limit: number): MaybePromise<readonly NearItem[]>
}

// Judging an item takes its whole text.
const MAX_JUDGED = 30
/** After so much text others run. */
const CHARS_AT_ONCE = 20_000

/** Searches the items of one user, the same way in every store. */
export async function searchItems(
  index: ItemIndex,
  { words, limit = 5, vector }: MemorySearch,
): Promise<MemoryHit[]> {
  const parts = toQueryParts(words)
  const asked = new Set(parts.flatMap(({ whole, near, pieces }) => [whole, ...near, ...pieces]))
  if (asked.size === 0) return []
  const counts = await index.count([EVERY_ITEM, ...asked])
  const rarity = createRarity(counts.get(EVERY_ITEM) ?? 0, counts)
  const terms = chooseTerms(parts, rarity)
  const most = Math.max(limit, MAX_JUDGED)
  const judge = async (items: readonly MemoryItem[]): Promise<MemoryHit[]> => {
    const hits: MemoryHit[] = []
    let chars = 0
    for (const item of items) {
      hits.push({ item, score: scoreItem(parts, toItemTerms(item), rarity) })
      chars += item.text.length
      if (chars < CHARS_AT_ONCE) continue
      chars = 0
      await letOthersRun()
    }
    return hits
  }
  const found = terms.length > 0 ? await index.find(terms, most) : []
  const hits = (await judge(found)).filter(({ score }) => score >= MIN_SCORE)
  const near = vector ? await index.nearest(vector, most) : []
  return mergeHits(hits, await judge(near.map(({ item }) => item)))
    .toSorted((a, b) => b.score - a.score || b.item.at - a.item.at || (a.item.id < b.item.id ? -1 : 1))
    .slice(0, limit)
}
