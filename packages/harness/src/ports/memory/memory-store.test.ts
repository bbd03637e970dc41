import type { RunId, ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { testConnectionStore } from '../../testing/connection-store-suite.ts'
import { testStore } from '../../testing/store-suite.ts'
import { createMemoryStore } from './memory-store.ts'

testStore('memory', () => createMemoryStore())
testConnectionStore('the memory store', () => createMemoryStore().connections)

it('the memory store has committed when the call returns', () => {
  const store = createMemoryStore()
  const threadId = 'thread_1' as ThreadId
  const runId = 'run_1' as RunId
  void store.threads.create({ id: threadId, userId: 'user_1', at: 1 })
  const run = {
    runId,
    conversationId: threadId,
    agent: 'a',
    depth: 0,
    origin: 'cli',
    model: 'm',
    text: 'Hi',
  } as const
  const returned: unknown = store.ledger.commit(threadId, [
    { type: 'run-start', at: 2, run: { ...run, budget: {} } },
  ])
  expect(returned).toBeUndefined()
  expect(store.runs.get(runId)).toMatchObject({ status: 'running' })
})

it('two memory stores share nothing', async () => {
  await createMemoryStore().threads.create({ id: 'thread_1' as ThreadId, userId: 'user_1', at: 1 })
  expect(await createMemoryStore().threads.list({ userId: 'user_1' })).toEqual([])
})
