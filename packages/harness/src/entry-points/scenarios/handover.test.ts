import type { ThreadId, WaitsFor } from '@capstan/protocol'
import { describe, expect, it, vi } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, says, ScriptedModel, stalls } from '../../testing/scripted-model.ts'
import type { Step } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { createThreads } from '../threads/threads.ts'
import { sound, THREAD } from './restarts.fixture.ts'

/** One node of several that share a store. What it has others do is kept in `dispatched`. */
function startNode(store: Store, ...steps: readonly Step[]) {
  const dispatched: [ThreadId, WaitsFor | undefined][] = []
  let sent = 0
  const send = stubTool('send', () => ++sent, { effect: 'write' })
  const model = new ScriptedModel(...steps)
  const threads = createThreads({
    store,
    agent: { model, tools: [send], origin: 'web', preface: false, safety: { mode: 'supervised' } },
    onProblem: () => {},
    dispatch: async (threadId, waitsFor) => void dispatched.push([threadId, waitsFor]),
  })
  return { threads, dispatched, model, sent: () => sent }
}

describe('threads of several nodes', () => {
  it('an answer on one node has another resume the turn, which takes the thread over', async () => {
    const store = createMemoryStore()
    const a = startNode(store, calls('send', { to: 'ada' }))
    await a.threads.create({ id: THREAD })
    const session = await a.threads.open(THREAD)
    await session.submit('go')
    await session.idle()
    const b = startNode(store, says('sent'))
    const [asked] = await b.threads.pendingApprovals()
    expect(await b.threads.hasWork(THREAD)).toBe(false)
    expect(await b.threads.answer(asked!.id, 'allow-once')).toBe('accepted')
    expect(b.dispatched).toEqual([[THREAD, { kind: 'approval', id: asked!.id }]])
    expect(b.model.requests).toBe(0)
    expect(await a.threads.hasWork(THREAD)).toBe(true)
    const taken = await b.threads.reopen(THREAD)
    expect(await taken.resume()).toMatchObject({ type: 'done', text: 'sent' })
    expect([a.sent(), b.sent()]).toEqual([0, 1])
    expect(await b.threads.hasWork(THREAD)).toBe(false)
    expect(await sound(store)).toEqual([])
  })

  it('a dropped session records nothing more and takes nothing', async () => {
    const store = createMemoryStore()
    const a = startNode(store, stalls())
    await a.threads.create({ id: THREAD })
    const session = await a.threads.open(THREAD)
    await session.submit('go')
    const before = await store.ledger.lastSeq(THREAD)
    a.threads.drop(THREAD)
    await session.idle()
    expect(await store.ledger.lastSeq(THREAD)).toBe(before)
    await expect(session.submit('more')).rejects.toThrow()
    const b = startNode(store, says('done by b'))
    expect(await b.threads.hasWork(THREAD)).toBe(true)
    expect(await (await b.threads.reopen(THREAD)).resume()).toMatchObject({ text: 'done by b' })
    expect(await sound(store)).toEqual([])
  })

  it('an interrupted turn can be given up with words, and the thread goes on', async () => {
    const store = createMemoryStore()
    const a = startNode(store, stalls())
    await a.threads.create({ id: THREAD })
    await (await a.threads.open(THREAD)).submit('go')
    a.threads.drop(THREAD)
    const b = startNode(store, says('hello again'))
    const session = await b.threads.reopen(THREAD)
    expect(await session.giveUp()).toMatchObject({
      type: 'failed',
      failure: { class: 'interrupted', detail: { kind: 'gave-up' } },
    })
    expect(await session.giveUp()).toBeUndefined()
    expect(b.model.requests).toBe(0)
    expect(await session.send('and now?')).toMatchObject({ type: 'done', text: 'hello again' })
    expect(await sound(store)).toEqual([])
  })

  it('queued messages of a thread are work', async () => {
    const store = createMemoryStore()
    const a = startNode(store, stalls(), says('second'))
    await a.threads.create({ id: THREAD })
    const session = await a.threads.open(THREAD)
    await session.submit('go')
    await session.submit('then this', { mode: 'follow-up' })
    a.threads.drop(THREAD)
    const b = startNode(store, says('first'), says('second'))
    await (await b.threads.reopen(THREAD)).resume()
    await vi.waitFor(async () => expect(await b.threads.hasWork(THREAD)).toBe(false))
    expect(b.model.requests).toBe(2)
  })
})
