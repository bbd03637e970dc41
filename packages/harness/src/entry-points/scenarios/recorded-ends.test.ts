import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { recordEvents } from '../../testing/record-events.ts'
import { calls, says, ScriptedModel } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { killAfterCommit } from './killable-store.fixture.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1' as ThreadId

it('a turn killed while a slow watcher receives its end ends once at the next start', async () => {
  const store = createMemoryStore()
  const first = killAfterCommit(store)
  const { promise: watching, resolve } = Promise.withResolvers<void>()
  const slow = {
    // Longer than the recorder waits before it commits.
    turnEnded: async () => {
      await new Promise<void>((wake) => void setTimeout(wake, 60))
      resolve()
      await new Promise<never>(() => {})
    },
  }
  const tools = [stubTool('look', () => 'a page')]
  const threads = createThreads({
    store: first.store,
    agent: {
      model: new ScriptedModel(calls('look'), says('Read.')),
      tools,
      origin: 'web',
      observers: [slow],
    },
  })
  await threads.create({ id: THREAD })
  await (await threads.open(THREAD)).submit('Read.')
  await watching
  first.kill()

  const next = createThreads({ store, agent: { model: new ScriptedModel(), tools, origin: 'web' } })
  expect(await next.resume()).toEqual({ running: 1, waiting: 0 })
  await next.idle()
  const [run] = await store.runs.list({ userId: 'local' })
  expect(run?.outcome).toMatchObject({ type: 'done', text: 'Read.' })
  expect(await checkInvariants(store, [THREAD])).toEqual([])
})

it('a turn whose observer fails at the end is recorded with the outcome that was announced', async () => {
  const store = createMemoryStore()
  const failing = {
    turnEnded: () => {
      throw new Error('disk full')
    },
  }
  const threads = createThreads({
    store,
    agent: { model: new ScriptedModel(says('Read.')), origin: 'web', observers: [failing] },
  })
  await threads.create({ id: THREAD })
  await expect((await threads.open(THREAD)).send('Read.')).rejects.toThrow('disk full')
  expect(await store.runs.unfinished()).toEqual([])
  expect(await checkInvariants(store, [THREAD])).toEqual([])
})

it('a message is acknowledged and events stay in order when a later sync is faster than the first', async () => {
  const inner = createMemoryStore()
  const late = Promise.withResolvers<void>()
  let syncs = 0
  const sync = () => (++syncs === 1 ? late.promise : Promise.resolve())
  const store: Store = { ...inner, ledger: { ...inner.ledger, sync } }
  const events = recordEvents()
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    agent: {
      model: new ScriptedModel(calls('save'), says('Read.')),
      tools: [stubTool('save', () => 'saved', { effect: 'write' })],
      safety: { mode: 'full' },
      origin: 'web',
    },
  })
  await threads.create({ id: THREAD })
  const { outcome } = await (await threads.open(THREAD)).submit('Read.')
  expect(await outcome).toMatchObject({ type: 'done', text: 'Read.' })
  expect(events.all.map(({ seq }) => seq)).toEqual(events.all.map((_, index) => index + 1))
  expect(events.all.at(-1)?.type).toBe('turn-end')
  late.resolve()
  await threads.idle()
  expect(syncs).toBe(3)
})

it('a turn settles for its caller after the slowest watcher has its end', async () => {
  const received: string[] = []
  const threads = createThreads({
    store: createMemoryStore(),
    onEvent: async ({ type }) => {
      await new Promise<void>((resolve) => void setImmediate(resolve))
      received.push(type)
    },
    agent: { model: new ScriptedModel(says('Read.'), says('Again.')), origin: 'web' },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  for (const words of ['Read.', 'Again.']) {
    const { outcome } = await session.submit(words)
    await outcome
    expect(received.at(-1)).toBe('turn-end')
  }
})
