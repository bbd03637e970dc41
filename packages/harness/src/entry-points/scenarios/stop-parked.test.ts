import { describe, expect, it, vi } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import type { Store } from '../../ports/store.ts'
import {
  calls,
  callsMany,
  checkInvariants,
  finish,
  handMadeModel,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
  text,
} from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { ConfigurationError, StoppingError } from '../../turn/errors.ts'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { agent, delegate } from './delegation.fixture.ts'
import { createSession } from '../session/session.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1' as ThreadId

/** A process whose thread runs these steps. `write` needs an approval; `read` waits until the test opens it. */
async function start(store: Store, steps: readonly Step[]) {
  const events = recordEvents()
  const reading = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<string>()
  let writes = 0
  const read = stubTool('read', () => {
    reading.resolve()
    return gate.promise
  })
  const write = stubTool('write', () => ++writes, { effect: 'write' })
  const model = new ScriptedModel(...steps)
  const threads = createThreads({
    store,
    onEvent: events.onEvent,
    agent: { model, origin: 'web', tools: [read, write] },
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  return {
    threads,
    session,
    events,
    model,
    reading: reading.promise,
    open: () => gate.resolve('read'),
    writes: () => writes,
  }
}

const READS_THEN_WRITES = callsMany([
  { tool: 'read', args: {} },
  { tool: 'write', args: {} },
])

/** Parked for an approval, with a steer in its inbox and a follow-up behind it. */
async function parkWithMessages(store: Store) {
  const process = await start(store, [READS_THEN_WRITES, says('Later.')])
  const { session, reading, events, open } = process
  const { outcome } = await session.submit('Go.')
  await reading
  const steer = await session.submit('quick', { mode: 'steer', messageId: 'steer_1' })
  const refusable = session.steer('quicker', { messageId: 'steer_2' })
  refusable.catch(() => {}) // a test that stops the process does not await it
  const followUp = await session.submit('later', { mode: 'follow-up', messageId: 'follow_1' })
  const parked = events.next('turn-park')
  open()
  await parked
  await session.idle()
  return { ...process, outcome, steer, refusable, followUp }
}

describe('a parked turn that is stopped', () => {
  it('refuses the messages that wait for it, and no restart brings them back', async () => {
    const store = createMemoryStore()
    const { session, threads, outcome, steer, refusable, followUp, writes } = await parkWithMessages(store)
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(await steer.delivery).toMatchObject({ delivered: false })
    expect(await refusable).toMatchObject({ delivered: false })
    expect(await followUp.delivery).toMatchObject({ delivered: false })
    await threads.idle()
    await vi.waitFor(async () => expect(await store.threads.withQueued()).toEqual([]))
    const next = await start(store, [])
    expect(await next.threads.resume()).toEqual({ running: 0, waiting: 0 })
    await next.threads.idle()
    expect(next.events.all).toEqual([])
    expect(writes()).toBe(0)
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('refuses messages that were queued before a restart', async () => {
    const store = createMemoryStore()
    const before = await parkWithMessages(store)
    before.session.abandon()
    const next = await start(store, [])
    await next.session.load()
    next.session.stop()
    await next.session.idle()
    await vi.waitFor(async () => expect(await store.threads.withQueued()).toEqual([]))
    expect(await next.threads.pendingApprovals()).toEqual([])
  })

  it('runs no call that is approved right after the stop', async () => {
    const store = createMemoryStore()
    const { session, threads, outcome, model, writes } = await parkWithMessages(store)
    const [approval] = await threads.pendingApprovals()
    session.stop()
    await threads.answer(approval!.id, 'allow-once')
    expect(await outcome).toMatchObject({ type: 'aborted' })
    await threads.idle()
    expect(writes()).toBe(0)
    expect(model.requests).toBe(1)
  })

  it('makes way for a message that is sent right after the stop', async () => {
    const store = createMemoryStore()
    const { session, outcome } = await parkWithMessages(store)
    session.stop()
    const next = await session.send('Something else.')
    expect(next).toMatchObject({ type: 'done', text: 'Later.' })
    expect(await outcome).toMatchObject({ type: 'aborted' })
  })
})

describe('a thread that is deleted while its turn is parked', () => {
  it('ends the turn, and its session takes no more messages', async () => {
    const store = createMemoryStore()
    const { session, threads, outcome, followUp } = await parkWithMessages(store)
    expect(await threads.delete(THREAD)).toBe(true)
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(await followUp.delivery).toMatchObject({ delivered: false })
    await expect(session.send('More.')).rejects.toBeInstanceOf(ConfigurationError)
    expect(await threads.get(THREAD)).toBeUndefined()
  })
})

describe('a process that stops', () => {
  it('rejects the deliveries that it cannot wait for, and the messages are taken after the restart', async () => {
    const store = createMemoryStore()
    const { threads, steer, followUp } = await parkWithMessages(store)
    await threads.stop({ graceMs: 0 })
    await expect(steer.delivery).rejects.toBeInstanceOf(StoppingError)
    await expect(followUp.delivery).rejects.toBeInstanceOf(StoppingError)
    expect(await store.threads.withQueued()).toHaveLength(1)
  })
})

describe('two interrupts, one right after the other', () => {
  it.each([true, false])('both interrupt, with a store: %s', async (isStored) => {
    const model = handMadeModel(async function* ({ messages }) {
      if (textOf(messages.at(-1)!) !== 'c') await new Promise(() => {}) // until it is stopped
      yield text('Third.')
      yield finish
    })
    const session = createSession({ model, ...(isStored ? { store: createMemoryStore() } : undefined) })
    const first = await session.submit('a')
    const [second, third] = await Promise.all([
      session.submit('b', { mode: 'interrupt' }),
      session.submit('c', { mode: 'interrupt' }),
    ])
    expect(await first.outcome).toMatchObject({ type: 'aborted' })
    expect(await second.outcome).toMatchObject({ type: 'aborted' })
    expect(await third.outcome).toMatchObject({ type: 'done', text: 'Third.' })
  })
})

describe('a session whose thread is being read', () => {
  it('uses a model that is chosen meanwhile', async () => {
    const other = new ScriptedModel(says('By the other.'))
    const session = createSession({ model: new ScriptedModel(), store: createMemoryStore() })
    const loading = session.load()
    session.useModel(other)
    await loading
    expect(await session.send('Hi')).toMatchObject({ text: 'By the other.' })
  })
})

describe('a reader that holds a stream without reading', () => {
  it('does not keep the turn from being stopped', async () => {
    const words = Array.from({ length: 600 }, () => calls('look'))
    const session = createSession({
      model: new ScriptedModel(...words),
      tools: [stubTool('look', () => Math.random().toString())],
      limits: { maxIterations: 600 },
      budget: { iterations: 700 },
      guards: () => [],
    })
    const reader = session.stream('Go.')[Symbol.asyncIterator]()
    await reader.next()
    await new Promise((resolve) => void setTimeout(resolve, 50))
    session.stop()
    await session.idle()
    expect(session.state).toBe('idle')
  })
})

describe('a sub-agent that waits below a turn', () => {
  it('ends with the turn when its definition is gone after a restart', async () => {
    const store = createMemoryStore()
    const events = recordEvents()
    const write = stubTool('write', () => 'written', { effect: 'write' })
    const open = (agents: readonly AgentDefinition[], ...steps: readonly Step[]) =>
      createThreads({
        store,
        onEvent: events.onEvent,
        agent: { model: new ScriptedModel(...steps), origin: 'web', tools: [write], agents },
      })
    const first = open([agent('helper')], delegate('helper'), calls('write', {}))
    await first.create({ id: THREAD })
    const parked = events.next('turn-park')
    await (await first.open(THREAD)).submit('Go.')
    await parked
    await first.stop({ graceMs: 0 })

    const second = open([])
    const session = await second.open(THREAD)
    await session.load()
    session.stop()
    await second.idle()
    const turn = events.of('turn-start')[0]!.runId
    const statuses = (await store.runs.tree(turn)).map(({ status }) => status)
    expect(statuses).toEqual(['aborted', 'aborted'])
  })
})

describe('a card that a new message closes', () => {
  it('is withdrawn, which is not a no of the user', async () => {
    const store = createMemoryStore()
    const { session, events, threads } = await start(store, [calls('write', {}), says('Next.')])
    const parked = events.next('turn-park')
    await session.submit('Go.')
    await parked
    await threads.idle()
    await session.send('Something else.')
    await threads.idle()
    expect(events.of('tool-end').map(({ failure }) => failure?.class)).toEqual(['cancelled'])
    expect(events.of('approval-answer').map(({ decision }) => decision)).toEqual(['withdrawn'])
    const [asked] = await store.approvals.list({ userId: 'local', now: 0 })
    expect(asked?.decision).toBe('withdrawn')
  })
})

describe('the result of a read', () => {
  it('is committed before the model sees it', async () => {
    const store = createMemoryStore()
    let recorded: readonly string[] = []
    const look = () => {
      const records = store.ledger.read(THREAD) as readonly LedgerRecord[] // this store answers at once
      recorded = records.map(({ type }) => type)
      return says('Done.')
    }
    const { session, open } = await start(store, [calls('read', {}), look])
    open()
    await session.send('Go.')
    expect(recorded).toContain('call-result')
  })
})
