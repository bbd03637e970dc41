import { findThreads } from './find-threads.ts'
import type { Lookups } from './find-threads.ts'
import type { Balance, Moves, Placement } from './placement.ts'
import { compare, measureBalance, placeUsers, sumByShard } from './placement.ts'
import type { Population, PopulationOptions } from './population.ts'
import { createPopulation } from './population.ts'
import { rebalance } from './rebalance.ts'
import type { Shard, ShardMap } from './routing.ts'

export interface SimulationOptions extends PopulationOptions {
  readonly shards: number
}

/** A change of the map, and what it moved. */
interface Change extends Moves {
  readonly name: string
  readonly expectedUsers: number
}

interface State {
  readonly name: string
  /** Over the shards, relative to their weight. */
  readonly users: Balance
  readonly threads: Balance
  readonly turns: Balance
}

export interface Report {
  readonly options: SimulationOptions
  readonly lookups: readonly (Lookups & { readonly name: string })[]
  readonly states: readonly State[]
  readonly changes: readonly Change[]
  /** The busiest user, in parts of what a shard would have of all turns if they were spread evenly. */
  readonly busiestUser: number
  /** Sentences. Empty: the rule holds. */
  readonly problems: readonly string[]
}

/** The fullest shard may have this many times the mean. */
const GOAL = 1.05
/** So many standard deviations from the expected number are no chance. */
const SIGMAS = 5

/** Places all users, changes the map in every way, and says what broke the rule. */
export function simulate(options: SimulationOptions): Report {
  const population = createPopulation(options)
  const { users } = options
  const problems: string[] = []
  const states: State[] = []
  const lookups: (Lookups & { name: string })[] = []
  const changes: Change[] = []

  const place = (name: string, map: ShardMap): Placement => {
    const placement = placeUsers(population, map)
    states.push(describeState(name, population, placement))
    return placement
  }
  const findAll = (name: string, placement: Placement): void => {
    const found = findThreads(population, placement)
    lookups.push({ name, ...found })
    if (found.wrong > 0) problems.push(`${name}: ${found.wrong} threads were not found by their id`)
    if (found.threads !== options.threads) problems.push(`${name}: ${found.threads} threads were made`)
  }
  const change = (name: string, from: Placement, to: Placement, about: Expectation): void => {
    const moves = compare(population, from, to, about.isExpected)
    changes.push({ name, expectedUsers: Math.round(about.share * users), ...moves })
    problems.push(...judge(name, moves, users, about))
  }

  const shards = Array.from({ length: options.shards }, (_, n) => toShard(n + 1))
  const first = shards[0]!.name
  const added = toShard(options.shards + 1)
  const base = place('start', { shards, moved: new Map() })
  findAll('start', base)

  const withAdded = place('a shard added', { shards: [...shards, added], moved: new Map() })
  change('add a shard', base, withAdded, {
    share: 1 / (shards.length + 1),
    isExpected: (_, to) => to === added.name,
  })

  const large = { ...added, weight: 2 }
  const withLarge = place('a shard of twice the weight added', {
    shards: [...shards, large],
    moved: new Map(),
  })
  change('add a shard of twice the weight', base, withLarge, {
    share: 2 / (shards.length + 2),
    isExpected: (_, to) => to === added.name,
  })

  const without = place('a shard removed', { shards: shards.slice(1), moved: new Map() })
  change('remove a shard', base, without, {
    share: 1 / shards.length,
    isExpected: (from) => from === first,
  })

  const halved = shards.map((shard) => (shard.name === first ? { ...shard, weight: 0.5 } : shard))
  change('halve the weight of a shard', base, placeUsers(population, { shards: halved, moved: new Map() }), {
    share: 1 / shards.length - 0.5 / (shards.length - 0.5),
    isExpected: (from) => from === first,
  })

  const map = rebalance(population, base, GOAL)
  const balanced = place('busy users moved by hand', map)
  change('move busy users by hand', base, balanced, {
    share: map.moved.size / users,
    isExact: true,
    isExpected: () => true,
  })

  const grown = place('a shard added after that', { shards: [...shards, added], moved: map.moved })
  change('add a shard after that', balanced, grown, {
    share: (1 - map.moved.size / users) / (shards.length + 1),
    isExpected: (_, to) => to === added.name,
  })
  findAll('a shard added after that', grown)

  const most = population.load.reduce((highest, load) => Math.max(highest, load))
  const busiestUser = Math.round(most * shards.length * 1_000) / 1_000
  return { options, lookups, states, changes, busiestUser, problems }
}

const toShard = (n: number): Shard => ({ name: `shard-${String(n).padStart(2, '0')}`, weight: 1 })

interface Expectation {
  /** The part of all users that should move. */
  readonly share: number
  /** Chance has no part in it. */
  readonly isExact?: boolean
  readonly isExpected: (from: string, to: string) => boolean
}

function judge(name: string, moves: Moves, users: number, { share, isExact }: Expectation): string[] {
  const allowed = isExact ? 0.5 : SIGMAS * Math.sqrt(users * share * (1 - share))
  const isFar = Math.abs(moves.users - share * users) > allowed
  return [
    ...(isFar ? [`${name}: ${moves.users} users moved instead of ${Math.round(share * users)}`] : []),
    ...(moves.strays > 0 ? [`${name}: ${moves.strays} users moved that it is not about`] : []),
  ]
}

function describeState(name: string, population: Population, placement: Placement): State {
  const balanceOf = (amounts: ArrayLike<number>): Balance =>
    measureBalance(placement, sumByShard(placement, amounts))
  return {
    name,
    users: balanceOf(new Uint8Array(population.keys.length).fill(1)),
    threads: balanceOf(population.threads),
    turns: balanceOf(population.load),
  }
}
