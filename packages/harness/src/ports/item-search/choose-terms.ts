import type { QueryPart } from './query-parts.ts'
import type { Rarity } from './rarity.ts'

/** A term to look up, and what an item that has it gains. */
export interface WeightedTerm {
  readonly term: string
  readonly weight: number
}

// How much of a word its spelling, its stem and all of its pieces count for.
const WHOLE = 0.4
const NEAR = 0.25
const PIECES = 0.35

/** How many places of an index are visited. It bounds the time of a search, however many items there are. */
const MAX_PLACES = 10_000

/** The terms that say most about where to look, for the places that they cost. The items they lead to are judged in full. */
export function chooseTerms(parts: readonly QueryPart[], rarity: Rarity): WeightedTerm[] {
  const weights = new Map<string, number>()
  for (const part of parts) {
    for (const { term, share } of toShares(part)) {
      if (rarity.count(term) === 0) continue
      const weight = part.weight * share * rarity.of(term)
      weights.set(term, Math.max(weight, weights.get(term) ?? 0))
    }
  }
  const gainPerPlace = ([term, weight]: readonly [string, number]): number => weight / rarity.count(term)
  const chosen: WeightedTerm[] = []
  let places = 0
  for (const [term, weight] of [...weights].toSorted((a, b) => gainPerPlace(b) - gainPerPlace(a))) {
    places += rarity.count(term)
    if (places > MAX_PLACES && chosen.length > 0) break
    chosen.push({ term, weight })
  }
  return chosen
}

function toShares({ whole, near, pieces }: QueryPart): { readonly term: string; readonly share: number }[] {
  return [
    { term: whole, share: near.length + pieces.length === 0 ? 1 : WHOLE },
    ...near.map((term) => ({ term, share: NEAR })),
    ...pieces.map((term) => ({ term, share: PIECES / pieces.length })),
  ]
}
