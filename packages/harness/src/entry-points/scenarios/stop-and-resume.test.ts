import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { StoppingError } from '../../turn/errors.ts'
import { callsOf, textOf } from '../../turn/message.ts'
import { createThreads } from '../threads/threads.ts'

const QUICK = 20
const SLOW = 20
const DEAF = 10

/** Saves, then waits as it was asked to, then is done. */
const model = handMadeModel(async function* ({ messages }) {
  const done = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0)
  const wanted = textOf(messages.find(({ role }) => role === 'user')!)
  const tool = ['save', wanted][done.length]
  if (tool === undefined) yield text('Done.')
  else yield { type: 'call', id: `call_${done.length}`, tool, argumentsText: '{}' }
  yield finish
})

interface Waits {
  quick(): Promise<unknown>
  slow(signal: AbortSignal): Promise<unknown>
  deaf(): Promise<unknown>
}

function start(store: Store, saved: string[], waits: Waits) {
  const events = recordEvents()
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    onProblem: (error) => expect.unreachable(String(error)),
    agent: {
      model,
      origin: 'web',
      safety: { mode: 'full' },
      limits: { tools: { stopGraceMs: 50 } },
      tools: [
        stubTool('save', (_, { idempotencyKey }) => void saved.push(idempotencyKey), { effect: 'write' }),
        stubTool('quick', () => waits.quick()),
        stubTool('slow', (_, { signal }) => waits.slow(signal)),
        stubTool('deaf', () => waits.deaf()),
      ],
    },
  })
  return { threads, events }
}

it('stops within its limit with fifty turns at work: the quick ones end, the others go on at the next start', async () => {
  const store = createMemoryStore()
  const saved: string[] = []
  const release = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  let waiting = 0
  const { promise: allWait, resolve: settle } = Promise.withResolvers<void>()
  const count = () => void (++waiting === QUICK + SLOW + DEAF && settle())
  const { threads, events } = start(store, saved, {
    quick: () => (count(), release.promise),
    slow: (signal) =>
      new Promise((_, reject) => {
        count()
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      }),
    deaf: () => (count(), never),
  })
  const ids: ThreadId[] = []
  const ends: Promise<unknown>[] = []
  for (const [wanted, times] of Object.entries({ quick: QUICK, slow: SLOW, deaf: DEAF })) {
    for (let n = 0; n < times; n++) {
      const { id } = await threads.create()
      const session = await threads.open(id)
      ids.push(id)
      const { outcome } = await session.submit(wanted)
      ends.push(outcome.catch((error: unknown) => error))
    }
  }
  await allWait
  const idle = await threads.create()

  const startedAt = performance.now()
  const stopping = threads.stop({ graceMs: 150 })
  await expect(threads.open(ids[0]!).then((session) => session.send('More.'))).rejects.toThrow(StoppingError)
  await expect(threads.open(idle.id).then((session) => session.submit('More.'))).rejects.toThrow(
    StoppingError,
  )
  await expect(threads.create()).rejects.toThrow(StoppingError)
  release.resolve()
  await stopping
  expect(performance.now() - startedAt).toBeLessThan(2_000)

  const ended = await Promise.all(ends)
  expect(ended.slice(0, QUICK)).toEqual(Array(QUICK).fill(expect.objectContaining({ type: 'done' })))
  // Whoever waits for the others is told that it is not over.
  expect(ended.slice(QUICK)).toEqual(Array(SLOW + DEAF).fill(expect.any(StoppingError)))
  expect(events.of('turn-end')).toHaveLength(QUICK)
  expect(await store.runs.unfinished()).toHaveLength(SLOW + DEAF)

  const now = () => Promise.resolve('now')
  const next = start(store, saved, { quick: now, slow: now, deaf: now })
  expect(await next.threads.resume()).toEqual({ running: SLOW + DEAF, waiting: 0 })
  await next.threads.idle()
  expect(next.events.of('turn-end')).toHaveLength(SLOW + DEAF)
  expect(saved).toHaveLength(QUICK + SLOW + DEAF)
  expect(new Set(saved).size).toBe(saved.length)
  expect(await checkInvariants(store, ids)).toEqual([])
})

it('leaves a turn that waits for an approval as it is, and a follow-up with the turn it belongs to', async () => {
  const store = createMemoryStore()
  const events = recordEvents()
  const create = () =>
    createThreads({
      store,
      onEvent: events.onEvent,
      onProblem: (error) => expect.unreachable(String(error)),
      agent: { model, origin: 'web', tools: [stubTool('save', () => 'saved', { effect: 'write' }), wait] },
    })
  let isSlow = true
  const wait = stubTool('slow', (_, { signal }) =>
    isSlow
      ? new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(new Error('stopped')))
        })
      : 'now',
  )
  const threads = create()
  const { id } = await threads.create()
  const session = await threads.open(id)
  const asked = events.next('approval-request')
  const { runId } = await session.submit('slow')
  const { approvalId } = await asked
  const waits = events.next('tool-end').then(() => events.next('tool-start'))
  await threads.answer(approvalId, 'allow-once')
  await waits
  const delivery = session.followUp('And then slow again.', { messageId: 'later' })
  let isAnswered = false
  void delivery.then(() => (isAnswered = true))
  await threads.stop({ graceMs: 0 })
  // It has not been refused: it is still in its place.
  expect(isAnswered).toBe(false)
  expect(await store.threads.withQueued()).toMatchObject([{ id }])

  isSlow = false
  const next = create()
  expect(await next.resume()).toEqual({ running: 1, waiting: 0 })
  await next.idle()
  const runs = await store.runs.list({ userId: 'local', depth: 0 })
  expect(runs.map(({ text: asks, status }) => [asks, status])).toEqual([
    ['And then slow again.', 'done'],
    ['slow', 'done'],
  ])
  expect(runs.at(-1)?.id).toBe(runId)
  expect(await checkInvariants(store, [id])).toEqual([])
})
