import { describe, expect, it } from 'vitest'
import { createRouter, keyOfThread, toRoutingKey, toThreadId } from './routing.ts'

const SHARDS = ['north', 'east', 'south', 'west'].map((name) => ({ name, weight: 1 }))
const USERS = Array.from({ length: 4_000 }, (_, n) => toRoutingKey(`user-${n}`, 'secret'))
const NOBODY: ReadonlyMap<number, string> = new Map()

const count = (route: (key: number) => number, place: number): number =>
  USERS.filter((key) => route(key) === place).length

describe('the routing key of a user', () => {
  it('is the same on every machine and in every version', () => {
    expect(toRoutingKey('ann', 'secret')).toBe(187_831_370_226_551)
  })

  it('is another one in another installation', () => {
    expect(toRoutingKey('ann', 'other secret')).not.toBe(toRoutingKey('ann', 'secret'))
  })

  it('is in the ids of the threads of the user', () => {
    for (const key of [0, 1, 2 ** 48 - 1, USERS[0]!])
      expect(keyOfThread(toThreadId(key, '0mhx1k2aa00000000000000000000'))).toBe(key)
  })

  it.each(['', 'thread_', 'thread_0mhx1k2aaZ', 'run_0123456789ab', `thread_${'-'.repeat(12)}`])(
    'is not found in "%s"',
    (id) => expect(keyOfThread(id)).toBeUndefined(),
  )
})

describe('the shard of a routing key', () => {
  it('is the same on every machine and in every version', () => {
    const route = createRouter({ shards: SHARDS, moved: NOBODY })
    const initials = USERS.slice(0, 12).map((key) => SHARDS[route(key)]!.name[0])
    expect(initials.join('')).toBe('sennnneenewe')
  })

  it('does not depend on the order in which the shards are listed', () => {
    const reversed = SHARDS.toReversed()
    const [one, other] = [SHARDS, reversed].map((shards) => createRouter({ shards, moved: NOBODY }))
    expect(USERS.map((key) => SHARDS[one!(key)])).toEqual(USERS.map((key) => reversed[other!(key)]))
  })

  it('follows the weights', () => {
    const shards = SHARDS.map((shard, n) => ({ ...shard, weight: n === 0 ? 3 : 1 }))
    const route = createRouter({ shards, moved: NOBODY })
    expect(count(route, 0) / USERS.length).toBeCloseTo(0.5, 1)
    expect(count(route, 1) / USERS.length).toBeCloseTo(1 / 6, 1)
  })

  it('is the one a user was moved to by hand', () => {
    const [key] = USERS
    const before = createRouter({ shards: SHARDS, moved: NOBODY })
    const place = (before(key!) + 1) % SHARDS.length
    const after = createRouter({ shards: SHARDS, moved: new Map([[key!, SHARDS[place]!.name]]) })
    expect(after(key!)).toBe(place)
    expect(USERS.slice(1).map(after)).toEqual(USERS.slice(1).map(before))
  })

  it('is refused when a user was moved to a shard that is gone', () => {
    expect(() => createRouter({ shards: SHARDS, moved: new Map([[1, 'gone']]) })).toThrow('gone')
  })
})
