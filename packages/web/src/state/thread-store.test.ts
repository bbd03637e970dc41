import { describe, expect, it, vi } from 'vitest'
import type { EventPage, MessageReceipt, TurnEvent } from '@capstan/protocol'
import { createOutbox } from './outbox.ts'
import { ends, iteration, Recording, recordSampleThread, runId, says, starts } from '@capstan/client/testing'
import type { ThreadStoreOptions } from './thread-store.ts'
import { createThreadStore } from './thread-store.ts'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'

const sample = recordSampleThread()

/** A thread whose first events are on the server and whose other events come over the socket. */
function setUp(stored: readonly TurnEvent[], more: Partial<ThreadStoreOptions> = {}) {
  const asked: number[] = []
  const frames: (() => void)[] = []
  let deliver: (event: TurnEvent) => void = () => {}
  let watching = 0
  const store = createThreadStore({
    loadPage: (after) => {
      asked.push(after)
      const events = stored.filter(({ seq }) => seq > after).slice(0, 10)
      return Promise.resolve<EventPage>({ events, lastSeq: stored.length })
    },
    isUnknown: (error) => error === 'unknown',
    watch: (_after, onEvent) => {
      watching++
      deliver = onEvent
      return () => void watching--
    },
    createOutbox: (onChange) =>
      createOutbox({
        post: () => Promise.resolve({}),
        toProblem: () => ({ code: 'internal' }),
        onChange,
      }),
    schedule: (work) => frames.push(work),
    ...more,
  })
  return {
    store,
    asked,
    frames,
    deliver: (events: readonly TurnEvent[]) => {
      for (const event of events) deliver(event)
    },
    watching: () => watching,
  }
}

const isReady = async ({ store }: ReturnType<typeof setUp>): Promise<void> => {
  await vi.waitFor(() => expect(store.snapshot().phase).toBe('ready'))
}

describe('an open thread', () => {
  it('is read page by page, then watched', async () => {
    const thread = setUp(sample)
    const leave = thread.store.subscribe(() => {})
    await isReady(thread)
    expect(thread.store.snapshot().state).toEqual(foldEvents(EMPTY_THREAD, sample))
    expect(thread.asked.slice(0, 3)).toEqual([0, 10, 20])
    expect(thread.watching()).toBe(1)
    leave()
    expect(thread.watching()).toBe(0)
  })

  it('draws all events between two frames at once', async () => {
    const recording = new Recording().add('a', starts('Hi'), iteration(1))
    const thread = setUp(recording.events.slice())
    const listener = vi.fn()
    thread.store.subscribe(listener)
    await isReady(thread)
    listener.mockClear()
    for (let delta = 0; delta < 20; delta++) {
      recording.add('a', says(1, 'x'))
      thread.deliver([recording.events.at(-1)!])
    }
    expect(listener).not.toHaveBeenCalled()
    expect(thread.frames).toHaveLength(1)
    thread.frames[0]?.()
    expect(listener).toHaveBeenCalledTimes(1)
    expect(thread.store.snapshot().state.lastSeq).toBe(22)
  })

  it('keeps what it has read when it is opened again, and reads only what is new', async () => {
    const thread = setUp(sample)
    thread.store.subscribe(() => {})()
    const leave = thread.store.subscribe(() => {})
    await isReady(thread)
    leave()
    thread.asked.length = 0
    thread.store.subscribe(() => {})
    await vi.waitFor(() => expect(thread.watching()).toBe(1))
    expect(thread.asked).toEqual([sample.length])
  })

  it('reports that it does not exist, or that it could not be read', async () => {
    for (const [error, phase] of [
      ['unknown', 'unknown'],
      ['broken', 'failed'],
    ] as const) {
      // eslint-disable-next-line prefer-promise-reject-errors -- `isUnknown` is up to the test
      const thread = setUp([], { loadPage: () => Promise.reject(error) })
      thread.store.subscribe(() => {})
      await vi.waitFor(() => expect(thread.store.snapshot().phase).toBe(phase))
    }
  })

  it('gives the same snapshot until something changes', async () => {
    const thread = setUp(sample)
    thread.store.subscribe(() => {})
    await isReady(thread)
    const before = thread.store.snapshot()
    thread.deliver(sample)
    thread.frames[0]?.()
    expect(thread.store.snapshot()).toBe(before)
  })

  it('removes a message whose turn came before its receipt', async () => {
    const receipt = Promise.withResolvers<MessageReceipt>()
    const thread = setUp([], {
      createOutbox: (onChange) =>
        createOutbox({ post: () => receipt.promise, toProblem: () => ({ code: 'internal' }), onChange }),
    })
    thread.store.subscribe(() => {})
    await isReady(thread)
    thread.store.outbox.send({ text: 'Hi', mode: 'send', attachments: [] }, 0)
    thread.deliver(new Recording().add('a', starts('Hi'), iteration(1), ends('Hello')).events)
    thread.frames[0]?.()
    expect(thread.store.snapshot().outbox).toHaveLength(1)
    receipt.resolve({ runId: runId('a') })
    await vi.waitFor(() => expect(thread.store.snapshot().outbox).toEqual([]))
  })
})
