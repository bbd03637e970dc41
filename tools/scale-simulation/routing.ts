import { createHash, createHmac } from 'node:crypto'

/** A database that holds some of the users. */
export interface Shard {
  readonly name: string
  /** Its share of the users is its weight divided by the weight of all. */
  readonly weight: number
}

/** Where users are. Every node has the same one. */
export interface ShardMap {
  readonly shards: readonly Shard[]
  /** Users that were moved by hand: their routing key, and the name of their shard. */
  readonly moved: ReadonlyMap<number, string>
}

/** The first 48 bits of a keyed hash of a user id. Everything of a user is found by it. */
export type RoutingKey = number

const KEY_DIGITS = 12
const PREFIX = 'thread_'

/** With the secret of the installation, so that nobody can guess from an id whose thread it is. */
export function toRoutingKey(userId: string, secret: string): RoutingKey {
  return createHmac('sha256', secret).update(userId).digest().readUIntBE(0, 6)
}

/** A thread id that carries the key of its user. The key stays right when shards are added or the user moves. */
export const toThreadId = (key: RoutingKey, unique: string): string =>
  `${PREFIX}${key.toString(16).padStart(KEY_DIGITS, '0')}${unique}`

/** The key in a thread id. Undefined for an id of another form. */
export function keyOfThread(threadId: string): RoutingKey | undefined {
  if (!threadId.startsWith(PREFIX)) return undefined
  const digits = threadId.slice(PREFIX.length, PREFIX.length + KEY_DIGITS)
  return /^[0-9a-f]{12}$/.test(digits) ? Number.parseInt(digits, 16) : undefined
}

/** Finds the shard of a routing key, as its place in `shards`. Throws for a moved user whose shard does not exist. */
export function createRouter({ shards, moved }: ShardMap): (key: RoutingKey) => number {
  const seeds = shards.map(({ name }) => createHash('sha256').update(name).digest().readUInt32BE(0))
  const places = new Map(shards.map(({ name }, place) => [name, place]))
  const movedTo = new Map(
    [...moved].map(([key, name]) => {
      const place = places.get(name)
      if (place === undefined) throw new Error(`a user was moved to ${name}, which is no shard`)
      return [key, place]
    }),
  )
  return (key) => movedTo.get(key) ?? findHighest(key)

  // Rendezvous hashing: each shard gives the key a number, and the highest wins. The numbers of the others do not change
  // when a shard comes or goes, so only keys that it wins or held are moved.
  function findHighest(key: RoutingKey): number {
    const low = key >>> 0
    const high = (key / 2 ** 32) >>> 0
    let best = -1
    let highest = -Infinity
    for (let place = 0; place < shards.length; place++) {
      const hash = mix(mix(low ^ seeds[place]!) ^ high)
      const score = shards[place]!.weight / -Math.log((hash + 0.5) / 2 ** 32)
      if (score > highest) {
        highest = score
        best = place
      }
    }
    return best
  }
}

/** Spreads each bit over all 32: the last step of MurmurHash3. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}
