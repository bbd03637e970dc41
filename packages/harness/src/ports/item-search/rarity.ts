/** How rare terms are among the items of a user. Rare ones say more. */
export interface Rarity {
  count(term: string): number
  of(term: string): number
}

/** `counts`: how many of all `items` have each term. */
export function createRarity(items: number, counts: ReadonlyMap<string, number>): Rarity {
  const count = (term: string): number => Math.min(items, counts.get(term) ?? 0)
  return {
    count,
    of: (term) => Math.log(1 + (items - count(term) + 0.5) / (count(term) + 0.5)),
  }
}
