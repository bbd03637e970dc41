import { setImmediate } from 'node:timers/promises'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { array, assert, asyncProperty, constantFrom, nat } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createThreadFeed } from './thread-feed.ts'

const THREAD = 'thread_1' as ThreadId
const toEvent = (seq: number, delta = 'a'): TurnEvent => ({
  type: 'text-delta',
  iteration: 1,
  delta,
  threadId: THREAD,
  runId: 'run_1' as TurnEvent['runId'],
  seq,
  at: 0,
})

/** A ledger, a reader that can be slow, and the feed between them. */
function createWorld({ stored = 0, after = 0, isSlow = false } = {}) {
  const events = Array.from({ length: stored }, (_, index) => toEvent(index + 1))
  const got: number[] = []
  const batches: { readonly count: number; readonly isLive: boolean }[] = []
  const reads: PromiseWithResolvers<void>[] = []
  const world = {
    events,
    got,
    batches,
    reads,
    isFull: false,
    /** Reads wait until `settle` releases them. */
    holdsReads: isSlow,
    gone: 0,
    /** Stored, then announced, as the recorder does. */
    happen(event = toEvent(events.length + 1)) {
      events.push(event)
      feed.push(event)
    },
    async settle() {
      for (let round = 0; round < 60; round++) {
        for (const read of reads.splice(0)) read.resolve()
        await setImmediate()
      }
    },
    get feed() {
      return feed
    },
  }
  const feed = createThreadFeed({
    threadId: THREAD,
    after,
    ledger: {
      async readEvents(_, from, limit = Infinity) {
        const page = events.filter(({ seq }) => seq > from).slice(0, limit)
        if (!world.holdsReads) return page
        const held = Promise.withResolvers<void>()
        reads.push(held)
        await held.promise
        return page
      },
    },
    outlet: {
      isFull: () => world.isFull,
      send(batch, isLive) {
        got.push(...batch.map(({ seq }) => seq))
        batches.push({ count: batch.length, isLive })
      },
    },
    onGone: () => world.gone++,
  })
  return world
}

const upTo = (last: number, from = 1): number[] =>
  Array.from({ length: last - from + 1 }, (_, index) => from + index)

describe('a feed', () => {
  it('sends the stored events after a number in pages, then live events', async () => {
    const world = createWorld({ stored: 1000, after: 300 })
    await world.settle()
    expect(world.got).toEqual(upTo(1000, 301))
    expect(world.batches.length).toBeGreaterThan(2)
    world.happen()
    await world.settle()
    expect(world.got).toEqual(upTo(1001, 301))
    expect(world.batches.at(-1)).toEqual({ count: 1, isLive: true })
  })

  it('neither misses nor repeats events that arrive while it reads', async () => {
    const world = createWorld({ stored: 3, isSlow: true })
    await setImmediate()
    world.happen()
    world.happen()
    await world.settle()
    expect(world.got).toEqual(upTo(5))
  })

  it('sends the events of one tick as one batch', async () => {
    const world = createWorld()
    await world.settle()
    for (let count = 0; count < 10; count++) world.happen()
    world.happen({ ...toEvent(11), type: 'notice-add', text: 'now', iteration: 1 })
    expect(world.got).toEqual([])
    await setImmediate()
    await setImmediate()
    expect(world.got).toEqual(upTo(11))
    expect(world.batches).toEqual([{ count: 11, isLive: true }])
  })

  it('sends large events in small batches', async () => {
    const world = createWorld()
    await world.settle()
    for (let seq = 1; seq <= 10; seq++) world.happen(toEvent(seq, 'x'.repeat(100_000)))
    await world.settle()
    expect(world.got).toEqual(upTo(10))
    expect(Math.max(...world.batches.map(({ count }) => count))).toBeLessThanOrEqual(3)
  })

  it('buffers nothing for a slow reader, who continues where it stopped', async () => {
    const world = createWorld({ stored: 2 })
    await world.settle()
    world.isFull = true
    for (let count = 0; count < 5000; count++) world.happen()
    await world.settle()
    expect(world.got).toEqual([1, 2])
    world.isFull = false
    world.feed.resume()
    await world.settle()
    expect(world.got).toEqual(upTo(5002))
  })

  it('reads missing events from the ledger when there is a gap', async () => {
    const world = createWorld({ stored: 1 })
    await world.settle()
    world.events.push(toEvent(2)) // stored without an announcement
    world.happen(toEvent(3))
    world.happen(toEvent(3)) // announced twice
    await world.settle()
    expect(world.got).toEqual([1, 2, 3])
  })

  it('reads once more when another node may have stored something during the last read', async () => {
    const world = createWorld({ stored: 1, isSlow: true })
    await setImmediate()
    world.reads.splice(0)[0]!.resolve()
    for (let round = 0; round < 5; round++) await setImmediate()
    world.events.push(toEvent(2)) // after the read that finds nothing has begun
    world.feed.advance(0)
    await world.settle()
    expect(world.got).toEqual([1, 2])
  })

  it('learns from other nodes what they have stored', async () => {
    const world = createWorld({ stored: 1 })
    await world.settle()
    world.events.push(toEvent(2), toEvent(3))
    world.feed.advance(3)
    world.feed.advance(2)
    await world.settle()
    expect(world.got).toEqual([1, 2, 3])
    expect(world.gone).toBe(0)
  })

  it('reports a deleted thread, and sends nothing after it is closed', async () => {
    const world = createWorld({ stored: 1 })
    await world.settle()
    world.events.length = 0
    world.feed.push(toEvent(9))
    await world.settle()
    expect(world.gone).toBe(1)
    const other = createWorld({ stored: 1 })
    other.feed.close()
    other.happen()
    await other.settle()
    expect(other.got).toEqual([])
  })

  it('keeps the order under any interleaving', async () => {
    const step = constantFrom('happen', 'happen', 'happen', 'fill', 'drain', 'tick', 'hold', 'release')
    await assert(
      asyncProperty(array(step, { maxLength: 60 }), nat(20), nat(20), async (steps, stored, after) => {
        const world = createWorld({ stored, after: Math.min(after, stored) })
        for (const what of steps) {
          if (what === 'happen') world.happen()
          else if (what === 'fill') world.isFull = true
          else if (what === 'drain') {
            world.isFull = false
            world.feed.resume()
          } else if (what === 'hold') world.holdsReads = true
          else if (what === 'release') {
            world.holdsReads = false
            for (const read of world.reads.splice(0)) read.resolve()
          } else await setImmediate()
        }
        world.isFull = false
        world.holdsReads = false
        world.feed.resume()
        await world.settle()
        world.feed.resume()
        await world.settle()
        expect(world.got).toEqual(upTo(world.events.length, Math.min(after, stored) + 1))
      }),
      { numRuns: 25 },
    )
  })
})
