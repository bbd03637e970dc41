import { spawnSync } from 'node:child_process'
import { describe, expect, it, vi } from 'vitest'
import type { RunId, ThreadId, TurnEvent } from '@capstan/protocol'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import { ModelError, StoreError } from '../turn/errors.ts'
import type { ToolContext } from '../turn/tool/tool.ts'
import type { Fault } from './faults.ts'
import { FAULT_POINTS, createFaults, faultyModel, faultyStore, faultyTool, faultyWatcher } from './faults.ts'
import { finish, handMadeModel, text } from './hand-made-model.ts'
import { stubTool } from './stub-tool.ts'
import { createTestClock } from './test-clock.ts'

const threadId = 'thread_1' as ThreadId
const opened = { type: 'conversation-open', conversationId: 'c', agent: 'a', system: 's', at: 1 } as const

async function storeWith(...plan: Fault[]) {
  const inner = createMemoryStore()
  await inner.threads.create({ id: threadId, userId: 'local', at: 1 })
  const faults = createFaults(plan)
  return { inner, faults, store: faultyStore(inner, faults) }
}

const request = { system: '', messages: [], tools: [], media: {} as never, maxOutputTokens: 1 }
const ask = (...plan: Fault[]) => {
  const parts: unknown[] = []
  const model = handMadeModel(async function* () {
    yield text('one ')
    yield text('two')
    yield finish
  })
  const faults = createFaults(plan)
  const end = faultyModel(model, faults).stream(
    request,
    new AbortController().signal,
    (part) => void parts.push(part),
  )
  return { end, parts, faults }
}

describe('faults', () => {
  it('fail the n-th write completely, and the next one works', async () => {
    const { inner, store, faults } = await storeWith({ point: 'store.commit', at: 2, action: 'fail' })
    await store.ledger.commit(threadId, [opened])
    expect(() => store.ledger.commit(threadId, [{ ...opened, conversationId: 'd' }])).toThrow(StoreError)
    expect(await inner.ledger.read(threadId)).toEqual([opened])
    await store.ledger.commit(threadId, [{ ...opened, conversationId: 'e' }])
    expect(await inner.ledger.read(threadId)).toHaveLength(2)
    expect(faults.struck).toEqual(['store.commit 2 fail'])
  })

  it('count writes, reads and syncs of a store separately', async () => {
    const { store, faults } = await storeWith()
    await store.threads.rename(threadId, 'a name')
    await store.approvals.expire(5)
    await store.ledger.commit(threadId, [opened])
    await store.ledger.sync()
    await store.ledger.read(threadId)
    await store.runs.unfinished()
    const writer = store.artifacts.create({ threadId, callId: 'c', tool: 't' })
    await writer.write('long')
    await writer.close()
    expect(FAULT_POINTS.slice(0, 3).map((point) => faults.count(point))).toEqual([5, 1, 2])
    expect(faults.count('any')).toBe(8)
  })

  it('fail several operations in a row with times', async () => {
    const { store } = await storeWith({ point: 'store.read', at: 1, times: 2, action: 'fail' })
    expect(() => store.ledger.lastSeq(threadId)).toThrow(StoreError)
    expect(() => store.threads.get(threadId)).toThrow(StoreError)
    expect(await store.ledger.lastSeq(threadId)).toBe(0)
  })

  it('count the operations of all points for the point any', async () => {
    const { store, faults } = await storeWith({ point: 'any', at: 3, action: 'fail' })
    await store.ledger.sync()
    await store.ledger.read(threadId)
    expect(() => store.ledger.commit(threadId, [opened])).toThrow('on purpose')
    expect(faults.struck).toEqual(['store.commit 1 fail'])
  })

  it('delay by the given clock, or until a promise settles', async () => {
    const clock = createTestClock()
    const faults = createFaults([{ point: 'emit', at: 1, action: 'delay', delay: 50 }], { clock })
    const received: string[] = []
    const watch = faultyWatcher((event) => void received.push(event.type), faults)
    const waits = watch({ type: 'turn-start', threadId, runId: 'run_1' as RunId } as TurnEvent)
    await clock.waiting()
    expect(received).toEqual([])
    await clock.advance(50)
    await waits
    expect(received).toEqual(['turn-start'])

    const { promise, resolve } = Promise.withResolvers<void>()
    const slow = createFaults([{ point: 'store.sync', at: 1, action: 'delay', delay: promise }])
    const done = vi.fn<() => void>()
    const synced = Promise.resolve(slow.strike('store.sync', done))
    await new Promise<void>((next) => void setImmediate(next))
    expect(done).not.toHaveBeenCalled()
    resolve()
    await synced
    expect(done).toHaveBeenCalledOnce()
  })

  it('break a model call before it starts and between two parts of a reply', async () => {
    const first = ask({ point: 'model.stream', at: 1, action: 'fail' })
    await expect(first.end).rejects.toThrow(ModelError)
    expect(first.parts).toEqual([])
    const second = ask({ point: 'model.part', at: 2, action: 'fail' })
    await expect(second.end).rejects.toThrow(ModelError)
    expect(second.parts).toEqual([text('one ')])
    const third = ask({ point: 'model.part', at: 9, action: 'fail' })
    await third.end
    expect(third.parts).toHaveLength(3)
    expect(third.faults.count('model.part')).toBe(3)
  })

  it('break a tool before it runs and after it has run', async () => {
    const ran: string[] = []
    const tool = stubTool('send', async () => void ran.push('sent'))
    const run = (point: 'tool.before' | 'tool.after') =>
      faultyTool(tool, createFaults([{ point, at: 1, action: 'fail' }])).run({} as never, {} as ToolContext)
    expect(() => run('tool.before')).toThrow('on purpose')
    expect(ran).toEqual([])
    await expect(run('tool.after')).rejects.toThrow('on purpose')
    expect(ran).toEqual(['sent'])
  })

  it('kill after the operation is done with kill-after', async () => {
    const kill = vi.fn<() => void>()
    const plan = (action: 'kill' | 'kill-after') => [{ point: 'store.commit', at: 1, action }] as const
    const order: string[] = []
    const note = (word: string) => () => void order.push(word)
    await createFaults(plan('kill-after'), { kill: note('gone') }).strike('store.commit', note('written'))
    await createFaults(plan('kill'), { kill: note('gone') }).strike('store.commit', note('written'))
    const faults = createFaults(plan('kill-after'), { kill })
    await faults.strike('store.commit', async () => expect(kill).not.toHaveBeenCalled())
    expect(kill).toHaveBeenCalledOnce()
    expect(order).toEqual(['written', 'gone', 'gone', 'written'])
  })

  it('kill the process', () => {
    const code = `
      import { createFaults } from ${JSON.stringify(new URL('faults.ts', import.meta.url).href)}
      process.on('exit', () => console.log('a last word'))
      const faults = createFaults([{ point: 'emit', at: 2, action: 'kill' }])
      for (const n of [1, 2, 3]) faults.strike('emit', () => console.log('event ' + n))
    `
    const { signal, stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', code], {
      encoding: 'utf8',
    })
    expect(signal).toBe('SIGKILL')
    expect(stdout).toBe('event 1\n')
  })
})
