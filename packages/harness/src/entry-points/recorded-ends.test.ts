import { expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../ports/memory-store.ts'
import { checkInvariants } from '../testing/check-invariants.ts'
import { calls, says, ScriptedModel } from '../testing/scripted-model.ts'
import { stubTool } from '../testing/stub-tool.ts'
import { dieAfterCommit } from './mortal-store.fixture.ts'
import { createThreads } from './threads.ts'

const THREAD = 'thread_1' as ThreadId

it('a turn that is killed while somebody still hears of its end, ends at the next start, and once', async () => {
  const store = createMemoryStore()
  const first = dieAfterCommit(store)
  const { promise: hears, resolve } = Promise.withResolvers<void>()
  const slow = {
    // Longer than the recorder waits with what it has gathered.
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
  await (await threads.open(THREAD)).post('Read.')
  await hears
  first.kill()

  const next = createThreads({ store, agent: { model: new ScriptedModel(), tools, origin: 'web' } })
  expect(await next.resume()).toEqual({ running: 1, waiting: 0 })
  await next.idle()
  const [run] = await store.runs.list({ userId: 'local' })
  expect(run?.outcome).toMatchObject({ type: 'done', text: 'Read.' })
  expect(await checkInvariants(store, [THREAD])).toEqual([])
})

it('a turn whose observer fails at the end is recorded as it was told', async () => {
  const store = createMemoryStore()
  const failing = {
    turnEnded: () => {
      throw new Error('no room')
    },
  }
  const threads = createThreads({
    store,
    agent: { model: new ScriptedModel(says('Read.')), origin: 'web', observers: [failing] },
  })
  await threads.create({ id: THREAD })
  await expect((await threads.open(THREAD)).send('Read.')).rejects.toThrow('no room')
  expect(await store.runs.unfinished()).toEqual([])
  expect(await checkInvariants(store, [THREAD])).toEqual([])
})
