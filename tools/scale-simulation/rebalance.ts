import type { Placement } from './placement.ts'
import { sumByShard } from './placement.ts'
import type { Population } from './population.ts'
import type { ShardMap } from './routing.ts'

/** Only the busiest users are worth a move. */
const CANDIDATES = 20_000

/**
 * Moves busy users by hand from the fullest shard to the emptiest, until the fullest has at most `goal` times the mean or
 * no move helps. For shards of the same weight. A user that is busier than the goal alone cannot be helped: a user is in
 * one shard.
 */
export function rebalance(population: Population, placement: Placement, goal: number): ShardMap {
  const { shards } = placement.map
  const { load } = population
  const sums = sumByShard(placement, load)
  const mean = sums.reduce((all, sum) => all + sum, 0) / sums.length
  const moved = new Map(placement.map.moved)
  const waiting = listBusiest(placement, load)
  while (Math.max(...sums) > goal * mean) {
    const fullest = sums.indexOf(Math.max(...sums))
    const emptiest = sums.indexOf(Math.min(...sums))
    // A larger one would only turn the two around.
    const most = (sums[fullest]! - sums[emptiest]!) / 2
    const ranks = waiting[fullest]!
    const found = ranks.findIndex((rank) => load[rank]! <= most)
    if (found === -1) break
    const [rank] = ranks.splice(found, 1)
    sums[fullest] = sums[fullest]! - load[rank!]!
    sums[emptiest] = sums[emptiest]! + load[rank!]!
    moved.set(population.keys[rank!]!, shards[emptiest]!.name)
  }
  return { shards, moved }
}

/** The busiest users of each shard, the busiest first. */
function listBusiest({ map, places }: Placement, load: Float64Array): number[][] {
  const least = load.toSorted().at(-CANDIDATES) ?? 0
  const lists: number[][] = map.shards.map(() => [])
  for (let rank = 0; rank < load.length; rank++) if (load[rank]! >= least) lists[places[rank]!]!.push(rank)
  return lists.map((ranks) => ranks.toSorted((one, other) => load[other]! - load[one]!))
}
