import { describe, expect, it, vi } from 'vitest'
import type { MessagePost, MessageReceipt } from '@capstan/protocol'
import { EMPTY_THREAD, foldEvents } from '@capstan/client'
import type { KeptMessage, OutboxOptions, SendProblem } from './outbox.ts'
import { createOutbox } from './outbox.ts'
import { ends, iteration, Recording, runId, starts } from '@capstan/client/testing'

/** A server with given answers, and timers that the test runs. */
function setUp(answers: readonly (MessageReceipt | SendProblem)[], more: Partial<OutboxOptions> = {}) {
  const posts: MessagePost[] = []
  const timers: { ms: number; work: () => void }[] = []
  let ids = 0
  const outbox = createOutbox({
    post: (message) => {
      const answer = answers[posts.length] ?? {}
      posts.push(message)
      // eslint-disable-next-line prefer-promise-reject-errors -- what `toProblem` reads is up to the test
      return 'code' in answer ? Promise.reject(answer) : Promise.resolve(answer)
    },
    toProblem: (error) => error as SendProblem,
    onChange: () => {},
    newId: () => `message_${++ids}`,
    after: (ms, work) => timers.push({ ms, work }),
    ...more,
  })
  return { outbox, posts, timers }
}

const message = { text: 'Hello', mode: 'send', attachments: [] } as const
const UNREACHABLE = { code: 'unreachable' } as const

describe('a message', () => {
  it('that answered a question is removed: the card shows it', async () => {
    const { outbox } = setUp([{ answered: { approvalId: 'approval_1', decision: 'allow-once' } }])
    outbox.send({ ...message, text: 'yes' }, 0)
    await vi.waitFor(() => expect(outbox.items).toEqual([]))
  })

  it('that is not enough for a question fails, and is not sent again', async () => {
    const problem = { code: 'conflict', field: 'approval' } as const
    const { outbox, posts } = setUp([problem])
    outbox.send({ ...message, text: 'yes' }, 0)
    await vi.waitFor(() => expect(outbox.items).toMatchObject([{ status: 'failed', problem }]))
    expect(posts).toHaveLength(1)
  })

  it('says what the person had seen, also when it arrives later', async () => {
    const { outbox, posts, timers } = setUp([UNREACHABLE, { runId: runId('a') }])
    outbox.send({ ...message, text: 'yes' }, 7)
    await vi.waitFor(() => expect(timers).toHaveLength(1))
    timers[0]!.work()
    await vi.waitFor(() => expect(posts.map(({ seenSeq }) => seenSeq)).toEqual([7, 7]))
  })

  it('is shown at once, and removed when its turn is there', async () => {
    const { outbox } = setUp([{ runId: runId('a') }])
    outbox.send(message, 0)
    expect(outbox.items).toMatchObject([{ text: 'Hello', status: 'sending' }])
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    outbox.settle(foldEvents(EMPTY_THREAD, new Recording().add('a', starts('Hello')).events))
    expect(outbox.items).toEqual([])
  })

  it('is sent again under the same id when no answer came', async () => {
    const { outbox, posts, timers } = setUp([UNREACHABLE, UNREACHABLE, { runId: runId('a') }])
    outbox.send(message, 0)
    for (const round of [0, 1]) {
      await vi.waitFor(() => expect(timers).toHaveLength(round + 1))
      expect(outbox.items[0]?.status).toBe('retrying')
      timers[round]?.work()
    }
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    expect(posts.map(({ messageId }) => messageId)).toEqual(['message_1', 'message_1', 'message_1'])
    expect(timers[1]!.ms).toBeGreaterThan(timers[0]!.ms)
  })

  it('is sent again after the pause the server asked for', async () => {
    const { outbox, timers } = setUp([{ code: 'rate_limited', retryAfterMs: 30_000 }])
    outbox.send(message, 0)
    await vi.waitFor(() => expect(timers).toMatchObject([{ ms: 30_000 }]))
  })

  it('stays when it was refused, and is sent again only on request', async () => {
    const { outbox, posts, timers } = setUp([{ code: 'too_large' }, { runId: runId('a') }])
    outbox.send(message, 0)
    await vi.waitFor(() =>
      expect(outbox.items[0]).toMatchObject({ status: 'failed', problem: { code: 'too_large' } }),
    )
    expect(timers).toEqual([])
    outbox.retry('message_1')
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    expect(posts.map(({ messageId }) => messageId)).toEqual(['message_1', 'message_1'])
  })

  it('is queued when a turn has started meanwhile', async () => {
    const { outbox, posts } = setUp([{ code: 'conflict' }, {}])
    outbox.send(message, 0)
    await vi.waitFor(() => expect(outbox.items[0]).toMatchObject({ status: 'accepted', mode: 'queue' }))
    expect(posts.map(({ mode }) => mode)).toEqual(['send', 'queue'])
  })

  it('keeps its files, so that the same can be asked again', async () => {
    const { outbox } = setUp([{ runId: runId('a') }])
    const attachments = [{ name: 'times.txt', mediaType: 'text/plain', data: 'YQ==' }]
    outbox.send({ ...message, attachments }, 0)
    await vi.waitFor(() => expect(outbox.filesOf(runId('a'))).toEqual(attachments))
    expect(outbox.filesOf(runId('b'))).toBeUndefined()
  })

  it('can be removed and edited', async () => {
    const { outbox } = setUp([{ code: 'invalid' }])
    outbox.send(message, 0)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('failed'))
    expect(outbox.remove('message_1')).toMatchObject({ text: 'Hello' })
    expect(outbox.items).toEqual([])
  })
})

describe('a message without a run of its own', () => {
  const running = new Recording().add('a', starts('Go'), iteration(1))

  it('is removed when a turn starts with its text, and not before', async () => {
    const { outbox } = setUp([{}])
    outbox.send({ ...message, mode: 'follow-up', text: 'Go' }, 2)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    outbox.settle(foldEvents(EMPTY_THREAD, running.events))
    expect(outbox.items).toHaveLength(1)
    const more = new Recording().add('a', starts('Go'), iteration(1), ends('Done')).add('b', starts('Go'))
    outbox.settle(foldEvents(EMPTY_THREAD, more.events))
    expect(outbox.items).toEqual([])
  })

  it('is removed when a turn starts with it and others', async () => {
    const { outbox } = setUp([{}, {}])
    for (const text of ['Bread', 'Butter']) outbox.send({ ...message, mode: 'queue', text }, 2)
    await vi.waitFor(() => expect(outbox.items.every(({ status }) => status === 'accepted')).toBe(true))
    const next = { ...starts('Bread\n\nButter'), messageIds: ['message_1', 'message_2'] }
    outbox.settle(foldEvents(EMPTY_THREAD, running.add('a', ends('Done')).add('b', next).events))
    expect(outbox.items).toEqual([])
  })

  it('is removed when the turn has read it', async () => {
    const { outbox } = setUp([{}])
    outbox.send({ ...message, mode: 'steer' }, 2)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    const delivered = new Recording().add('a', starts('Go'), iteration(1), iteration(2))
    delivered.add('a', { type: 'message-deliver', iteration: 2, text: 'Hello' })
    outbox.settle(foldEvents(EMPTY_THREAD, delivered.events))
    expect(outbox.items).toEqual([])
  })

  it('is unread when the turn was stopped, and a new message when it is sent again', async () => {
    const { outbox, posts } = setUp([{}, { runId: runId('b') }])
    outbox.send({ ...message, mode: 'steer' }, 2)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    const over = new Recording().add('a', starts('Go'), iteration(1), ends('Stopped.', { type: 'aborted' }))
    outbox.settle(foldEvents(EMPTY_THREAD, over.events))
    expect(outbox.items[0]?.status).toBe('unread')
    outbox.retry('message_1')
    await vi.waitFor(() => expect(outbox.items[0]).toMatchObject({ status: 'accepted', mode: 'send' }))
    expect(posts.map(({ messageId }) => messageId)).toEqual(['message_1', 'message_2'])
  })
})

describe('a follow-up', () => {
  const stopped = new Recording().add('a', starts('Go'), iteration(1), ends('', { type: 'aborted' }))

  it('is unread when the turn before it was stopped', async () => {
    const { outbox } = setUp([{}])
    outbox.send({ ...message, mode: 'follow-up' }, 2)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    outbox.settle(foldEvents(EMPTY_THREAD, stopped.events))
    expect(outbox.items[0]?.status).toBe('unread')
  })

  it('is kept when it was sent after the stop', async () => {
    const { outbox } = setUp([{}])
    const state = foldEvents(EMPTY_THREAD, stopped.events)
    outbox.send({ ...message, mode: 'follow-up' }, state.lastSeq)
    await vi.waitFor(() => expect(outbox.items[0]?.status).toBe('accepted'))
    outbox.settle(state)
    expect(outbox.items[0]?.status).toBe('accepted')
  })
})

describe('a page that was closed too early', () => {
  it('sends its messages again under the same id when it is opened again', async () => {
    let kept: readonly KeptMessage[] = []
    const storage = { read: () => kept, write: (messages: readonly KeptMessage[]) => void (kept = messages) }
    setUp([UNREACHABLE], { storage }).outbox.send(message, 0)
    await vi.waitFor(() => expect(kept).toHaveLength(1))
    const back = setUp([{ runId: runId('a') }], { storage })
    await vi.waitFor(() => expect(back.posts).toMatchObject([{ messageId: 'message_1', text: 'Hello' }]))
    await vi.waitFor(() => expect(kept).toEqual([]))
  })
})
