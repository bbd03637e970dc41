import type { Threads } from '@capstan/harness'
import { createThreads, StoreError } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { createMemoryStore } from '@capstan/harness/stores'
import type { Step } from '@capstan/harness/testing'
import { calls, says, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import { expect, it, vi } from 'vitest'
import { createThreadActions } from '../sessions/thread-actions.ts'
import { createCommandHandler } from './command-handler.ts'
import { createMemoryCommands } from './fixtures/memory-commands.fixture.ts'
import { createThreadWorker } from './thread-worker.ts'

const THREAD = 'thread_1' as ThreadId

/** A process with this model. `read` ends when `openGate` is called, `write` needs an approval. */
async function startProcess(store: Store, ...steps: readonly Step[]) {
  const reading = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<string>()
  const read = stubTool('read', () => (reading.resolve(), gate.promise))
  const write = stubTool('write', () => 'written', { effect: 'write' })
  const model = new ScriptedModel(...steps)
  const threads = createThreads({ store, agent: { model, origin: 'web', tools: [read, write] } })
  await threads.create({ id: THREAD })
  return { threads, reading: reading.promise, openGate: () => gate.resolve('read') }
}

/** A node that runs these threads, with commands and owners in memory. */
function startNode(store: Store, threads: Threads) {
  let epoch = 0
  const commands = createMemoryCommands(() => epoch)
  const actions = createThreadActions(threads, () => {})
  const attempts = { begin: vi.fn(async () => {}), forget: vi.fn(async () => {}) }
  const problems: unknown[] = []
  const handler = createCommandHandler({ store, commands, actionsOf: () => actions, noteAnswer: () => {} })
  const worker = createThreadWorker({
    store: {
      ...store,
      ownership: {
        claim: () => ++epoch,
        release: () => true,
        ownerOf: () => ({ nodeId: 'a node', epoch }),
      },
    },
    commands,
    ...handler,
    threadsOf: () => threads,
    attempts,
    enqueue: async () => {},
    metrics: { countMoved() {}, countWait() {} },
    onProblem: (problem) => void problems.push(problem),
  })
  return {
    worker,
    commands,
    attempts,
    problems,
    /** Another node claims the thread. */
    move: () => void epoch++,
    add: (kind: 'message' | 'stop', id: string, body: unknown = {}) =>
      commands.add({ threadId: THREAD, id, userId: 'local', kind, body }),
  }
}

/** A turn that its process left in the middle. */
async function interrupt(store: Store): Promise<void> {
  const { threads, reading } = await startProcess(store, calls('read'))
  await (await threads.open(THREAD)).submit('Go.', { messageId: 'message_1' })
  await reading
  await threads.stop({ graceMs: 0 })
}

const newestRun = async (store: Store) =>
  (await store.runs.list({ userId: 'local', threadId: THREAD, depth: 0, limit: 1 }))[0]

it('a stop that waits for an interrupted turn stops it', async () => {
  const store = createMemoryStore()
  await interrupt(store)
  const { threads } = await startProcess(store, says('Done.'))
  const node = startNode(store, threads)
  const { id } = (await newestRun(store))!
  await node.add('stop', 'stop_1', { runId: id })
  await node.worker.work(THREAD)
  expect(await newestRun(store)).toMatchObject({ status: 'aborted' })
})

it('a message that is queued behind an interrupted turn is taken after it', async () => {
  const store = createMemoryStore()
  await interrupt(store)
  const { threads, openGate } = await startProcess(store, says('One.'), says('Two.'))
  openGate()
  const node = startNode(store, threads)
  await node.add('message', 'm2', { text: 'And then?', messageId: 'm2', mode: 'queue' })
  await node.worker.work(THREAD)
  expect(node.commands.find('m2')).toMatchObject({ isRefused: false })
  const runs = await store.runs.list({ userId: 'local', threadId: THREAD, depth: 0 })
  expect(runs.map(({ text, status }) => [text, status])).toEqual([
    ['And then?', 'done'],
    ['Go.', 'done'],
  ])
})

it('a stop of a parked turn is not lost when the thread takes long to read', async () => {
  const store = createMemoryStore()
  const first = await startProcess(store, calls('write'))
  const session = await first.threads.open(THREAD)
  await session.submit('Go.')
  await session.idle()
  expect(await newestRun(store)).toMatchObject({ status: 'waiting' })
  const slow: Store = {
    ...store,
    ledger: {
      ...store.ledger,
      async read(threadId) {
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
        return store.ledger.read(threadId)
      },
    },
  }
  const { threads } = await startProcess(slow)
  const node = startNode(slow, threads)
  await node.add('stop', 'stop_1')
  await node.worker.work(THREAD)
  expect(await newestRun(store)).toMatchObject({ status: 'aborted' })
})

it('a message that reaches a node which has lost the thread waits for the new owner', async () => {
  const store = createMemoryStore()
  const moved: Store = {
    ...store,
    ledger: {
      ...store.ledger,
      commit() {
        node.move()
        throw new StoreError('moved', 'The thread is run by another node now.')
      },
    },
  }
  const { threads } = await startProcess(moved, says('Hello.'))
  const node = startNode(moved, threads)
  await node.add('message', 'm1', { text: 'Hello', messageId: 'm1' })
  await node.worker.work(THREAD)
  expect(node.commands.find('m1')?.answer).toBeUndefined()
  expect(node.worker.has(THREAD)).toBe(false)
})

it('a stop that reaches a node which has lost the thread waits for the new owner', async () => {
  const store = createMemoryStore()
  const { threads, reading } = await startProcess(store, calls('read'))
  const node = startNode(store, threads)
  await node.add('message', 'm1', { text: 'Go.', messageId: 'm1' })
  const working = node.worker.work(THREAD)
  await reading
  node.move()
  await node.add('stop', 'stop_1')
  const look = vi.spyOn(node.commands, 'begin')
  node.worker.call(THREAD)
  await vi.waitFor(() => expect(look).toHaveBeenCalled())
  await node.worker.giveUpMoved()
  await working
  expect(node.commands.find('stop_1')?.answer).toBeUndefined()
})

it('an interrupted turn of a held user is not counted as tried', async () => {
  const store = createMemoryStore()
  await interrupt(store)
  const { threads } = await startProcess(store)
  await threads.hold()
  const node = startNode(store, threads)
  await node.worker.work(THREAD)
  expect(node.attempts.forget).toHaveBeenCalledWith(THREAD)
  expect(node.problems).toEqual([])
})
