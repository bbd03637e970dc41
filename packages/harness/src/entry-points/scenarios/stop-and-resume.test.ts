import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { finish, handMadeModel, text } from '../../testing/hand-made-model.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { StoppingError } from '../../turn/errors.ts'
import { callsOf, textOf } from '../../turn/message/message.ts'
import { createThreads } from '../threads/threads.ts'

const QUICK = 20
const SLOW = 20
const STUBBORN = 10

/** Saves, calls the tool that the user names, then ends. */
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
  stubborn(): Promise<unknown>
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
        stubTool('stubborn', () => waits.stubborn()),
      ],
    },
  })
  return { threads, events }
}

it('stop() with fifty running turns ends within its grace time: quick turns end, the others are resumed at the next start', async () => {
  const store = createMemoryStore()
  const saved: string[] = []
  const release = Promise.withResolvers<void>()
  const never = new Promise<never>(() => {})
  let waiting = 0
  const { promise: allWait, resolve: settle } = Promise.withResolvers<void>()
  const count = () => void (++waiting === QUICK + SLOW + STUBBORN && settle())
  const { threads, events } = start(store, saved, {
    quick: () => (count(), release.promise),
    slow: (signal) =>
      new Promise((_, reject) => {
        count()
        signal.addEventListener('abort', () => reject(new Error('stopped')))
      }),
    stubborn: () => (count(), never),
  })
  const ids: ThreadId[] = []
  const ends: Promise<unknown>[] = []
  for (const [wanted, times] of Object.entries({ quick: QUICK, slow: SLOW, stubborn: STUBBORN })) {
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
  // Callers of the other turns get a StoppingError.
  expect(ended.slice(QUICK)).toEqual(Array(SLOW + STUBBORN).fill(expect.any(StoppingError)))
  expect(events.of('turn-end')).toHaveLength(QUICK)
  expect(await store.runs.unfinished()).toHaveLength(SLOW + STUBBORN)

  const now = () => Promise.resolve('now')
  const next = start(store, saved, { quick: now, slow: now, stubborn: now })
  expect(await next.threads.resume()).toEqual({ running: SLOW + STUBBORN, waiting: 0 })
  await next.threads.idle()
  expect(next.events.of('turn-end')).toHaveLength(SLOW + STUBBORN)
  expect(saved).toHaveLength(QUICK + SLOW + STUBBORN)
  expect(new Set(saved).size).toBe(saved.length)
  expect(await checkInvariants(store, ids)).toEqual([])
})

it('stop() leaves a parked turn parked, and its follow-up queued', async () => {
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
  await threads.stop({ graceMs: 0 })
  // The follow-up is not refused: it is still queued.
  expect(await delivery).toEqual({
    delivered: false,
    reason: 'the process stopped first; a stored message is taken after the restart',
  })
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
