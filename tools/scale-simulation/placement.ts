import type { Population } from './population.ts'
import type { ShardMap } from './routing.ts'
import { createRouter } from './routing.ts'

/** The shard of each user under one map. */
export interface Placement {
  readonly map: ShardMap
  /** By the rank of the user: the place of the shard in the map. */
  readonly places: Uint16Array
}

/** How far the shards are from their fair share by weight: 1 is exactly fair. */
export interface Balance {
  readonly least: number
  readonly most: number
}

export function placeUsers({ keys }: Population, map: ShardMap): Placement {
  const route = createRouter(map)
  const places = new Uint16Array(keys.length)
  for (let rank = 0; rank < keys.length; rank++) places[rank] = route(keys[rank]!)
  return { map, places }
}

/** What each shard holds of `amounts`, by the place of the shard. */
export function sumByShard({ map, places }: Placement, amounts: ArrayLike<number>): Float64Array {
  const sums = new Float64Array(map.shards.length)
  for (let rank = 0; rank < places.length; rank++) {
    const place = places[rank]!
    sums[place] = sums[place]! + amounts[rank]!
  }
  return sums
}

export function measureBalance({ map: { shards } }: Placement, sums: Float64Array): Balance {
  const weight = shards.reduce((total, shard) => total + shard.weight, 0)
  const total = sums.reduce((all, sum) => all + sum, 0)
  const parts = shards.map((shard, place) => sums[place]! / ((total * shard.weight) / weight))
  return { least: round(Math.min(...parts)), most: round(Math.max(...parts)) }
}

const round = (part: number): number => Math.round(part * 1_000) / 1_000

/** What a change of the map moves. */
export interface Moves {
  readonly users: number
  readonly threads: number
  /** Users that were moved between shards that the change is not about. */
  readonly strays: number
}

export function compare(
  { threads }: Population,
  before: Placement,
  after: Placement,
  isExpected: (from: string, to: string) => boolean,
): Moves {
  const moves = { users: 0, threads: 0, strays: 0 }
  const nameOf = ({ map, places }: Placement, rank: number): string => map.shards[places[rank]!]!.name
  for (let rank = 0; rank < threads.length; rank++) {
    const from = nameOf(before, rank)
    const to = nameOf(after, rank)
    if (from === to) continue
    moves.users++
    moves.threads += threads[rank]!
    if (!isExpected(from, to)) moves.strays++
  }
  return moves
}
