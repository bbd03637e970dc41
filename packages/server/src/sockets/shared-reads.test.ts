import { setImmediate } from 'node:timers/promises'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createThreadFeeds } from './thread-feeds.ts'

const THREAD = 'thread_1' as ThreadId
const toEvent = (seq: number): TurnEvent => ({
  type: 'text-delta',
  iteration: 1,
  delta: 'a',
  threadId: THREAD,
  runId: 'run_1' as TurnEvent['runId'],
  seq,
  at: 0,
})

async function openFeeds(count: number) {
  const events = [toEvent(1)]
  let reads = 0
  const feeds = createThreadFeeds({
    readEvents(_, from, limit = Infinity) {
      reads++
      return Promise.resolve(events.filter(({ seq }) => seq > from).slice(0, limit))
    },
  })
  const got = Array.from({ length: count }, () => [] as number[])
  const isFull = Array.from({ length: count }, () => false)
  const gone: number[] = []
  const opened = got.map((seqs, index) =>
    feeds.open({
      threadId: THREAD,
      after: 0,
      outlet: {
        isFull: () => isFull[index]!,
        send: (batch) => void seqs.push(...batch.map(({ seq }) => seq)),
      },
      onGone: () => gone.push(index),
    }),
  )
  const settle = async () => {
    for (let round = 0; round < 40; round++) await setImmediate()
  }
  await settle()
  return { feeds, events, got, isFull, opened, gone, settle, reads: () => reads }
}

it('what another node has stored is read once for all who watch the thread', async () => {
  const { feeds, events, got, settle, reads } = await openFeeds(30)
  const before = reads()
  events.push(toEvent(2), toEvent(3))
  feeds.advance(THREAD, 2)
  feeds.advance(THREAD, 3)
  await settle()
  expect(got).toEqual(Array.from({ length: 30 }, () => [1, 2, 3]))
  expect(reads() - before).toBeLessThanOrEqual(2)
  feeds.advance(THREAD, 3)
  await settle()
  expect(reads() - before).toBeLessThanOrEqual(2)
})

it('one who is too slow, or has left, does not hold up the others, and misses nothing', async () => {
  const { feeds, events, got, isFull, opened, settle } = await openFeeds(3)
  isFull[0] = true
  opened[2]!.close()
  for (let seq = 2; seq <= 500; seq++) events.push(toEvent(seq))
  feeds.advance(THREAD, 500)
  await settle()
  expect(got[1]).toHaveLength(500)
  expect(got[0]).toEqual([1])
  isFull[0] = false
  opened[0]!.resume()
  await settle()
  expect(got[0]).toEqual(got[1])
  expect(got[2]).toEqual([1])
})

it('a thread that is gone is told to all', async () => {
  const { feeds, events, gone, settle } = await openFeeds(2)
  events.length = 0
  feeds.advance(THREAD, 9)
  await settle()
  expect(new Set(gone)).toEqual(new Set([0, 1]))
})
