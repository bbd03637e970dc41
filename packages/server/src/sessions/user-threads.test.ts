import { createMemoryStore } from '@capstan/harness/stores'
import type { Store } from '@capstan/harness/stores'
import type { Step } from '@capstan/harness/testing'
import { calls, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import type { Update } from './assistant.ts'
import { createUserThreads } from './user-threads.ts'

const THREAD = 'thread_1' as ThreadId

/** The threads of a user on one of several nodes, and what it publishes. `write` needs an approval. */
function openOnNode(store: Store, ...steps: readonly Step[]) {
  const updates: Update[] = []
  const model = new ScriptedModel(...steps)
  const write = stubTool('write', () => 'written', { effect: 'write' })
  const threads = createUserThreads({
    userId: 'local',
    store,
    bus: { publish() {}, subscribe: () => () => {} },
    agent: () => ({ model, origin: 'web', tools: [write] }),
    model: () => model,
    queueMode: () => 'one-by-one',
    settingsVersion: () => 0,
    dispatch: async () => {},
    publish: (update) => void updates.push(update),
    onProblem: (error) => expect.unreachable(String(error)),
  })
  return { threads, updates }
}

it('an approval that one node asked for is published as withdrawn by the node that stops the turn', async () => {
  const store = createMemoryStore()
  const first = openOnNode(store, calls('write'))
  await first.threads.create({ id: THREAD })
  const asking = await first.threads.open(THREAD)
  await asking.submit('Go.')
  await asking.idle()
  first.threads.drop(THREAD)
  const second = openOnNode(store)
  const session = await second.threads.reopen(THREAD)
  await session.load()
  session.stop()
  await session.idle()
  await vi.waitFor(() => {
    const change = second.updates.find((update) => update.type === 'approval-change')
    expect(change).toMatchObject({ approval: { threadId: THREAD, decision: expect.any(String) } })
  })
})

it('a title that a node had published before is published again after another node changed it', async () => {
  const store = createMemoryStore()
  const [here, there] = [openOnNode(store), openOnNode(store)]
  await here.threads.create({ id: THREAD })
  await here.threads.rename(THREAD, 'One')
  await there.threads.rename(THREAD, 'Two')
  await here.threads.rename(THREAD, 'One')
  const titles = here.updates.flatMap((update) =>
    update.type === 'thread-change' ? [update.thread.title] : [],
  )
  expect(titles).toEqual(['', 'One', 'One'])
})
