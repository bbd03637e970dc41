import type { MemoryHit } from '../user-memory.ts'
import { CONFIDENT_SCORE } from './score-item.ts'

/** What the item that is closest to a query in meaning gains. The next ones gain less, by their rank. */
const GAIN = 0.25
const RANK_WEIGHT = 2
const MOST = CONFIDENT_SCORE - 0.001

/**
 * Adds to the score of a hit by the words its rank by meaning: `near` has the closest first, and the score of each by the
 * words. A hit that is confident by its words stays as it is, and no other becomes confident.
 */
export function mergeHits(hits: readonly MemoryHit[], near: readonly MemoryHit[]): MemoryHit[] {
  const merged = new Map(hits.map((hit) => [hit.item.id, hit]))
  near.forEach(({ item, score }, rank) => {
    const gained = Math.min(MOST, score + (GAIN * RANK_WEIGHT) / (RANK_WEIGHT + rank))
    merged.set(item.id, { item, score: Math.max(score, gained) })
  })
  return [...merged.values()]
}
