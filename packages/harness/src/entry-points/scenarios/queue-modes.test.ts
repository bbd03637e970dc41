import { describe, expect, it } from 'vitest'
import type { QueueMode, ThreadId } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { ALLOW_ALL, calls, checkInvariants, recordEvents, says } from '../../testing/index.ts'
import { ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import type { SubmitMode } from '../session/message-intake.ts'
import type { Session } from '../session/session.ts'
import { createSession } from '../session/session.ts'
import { createThreads } from '../threads/threads.ts'
import { killAfterCommit } from './killable-store.fixture.ts'

const THREAD = 'thread_1' as ThreadId
const MODES: readonly QueueMode[] = ['collect', 'one-by-one', 'interrupt']

/** A process whose `work` tool waits until the test opens it. */
async function start(inner: Store, steps: readonly Step[], queueMode?: QueueMode, commits?: number) {
  const killable = killAfterCommit(inner, commits)
  const events = recordEvents()
  const working = Promise.withResolvers<void>()
  const gate = Promise.withResolvers<string>()
  gate.promise.catch(() => undefined)
  const work = stubTool(
    'work',
    (_args, { signal }) => {
      working.resolve()
      signal.addEventListener('abort', () => gate.reject(signal.reason))
      return gate.promise
    },
    { effect: 'write' },
  )
  const model = new ScriptedModel(...steps)
  const threads = createThreads({
    store: killable.store,
    onEvent: events.onEvent,
    agent: { model, origin: 'web', tools: [work], preface: false, safety: ALLOW_ALL },
    ...(queueMode ? { queueMode } : undefined),
  })
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  const open = () => gate.resolve('worked')
  return { threads, session, events, model, working: working.promise, open, ...killable }
}

const THREE = [calls('work', {}), says('One.'), says('Two.'), says('Three.')]

const queue = (session: Session, id: string, mode: SubmitMode = 'queue') =>
  session.submit(`text of ${id}`, { mode, messageId: id })

/** How often each message is in the ledger as a message of the user. */
async function countMessages(store: Store, ids: readonly string[]): Promise<readonly number[]> {
  const records = await store.ledger.read(THREAD)
  const texts = records.flatMap((record) =>
    record.type === 'message' && record.message.role === 'user' ? [textOf(record.message)] : [],
  )
  return ids.map((id) => texts.filter((text) => text === `text of ${id}`).length)
}

describe('messages that are queued while a turn is running', () => {
  it('become one next turn in the mode collect, each with its own id, delivery and outcome', async () => {
    const store = createMemoryStore()
    const { threads, session, working, open, model, events } = await start(store, THREE, 'collect')
    await session.submit('go')
    await working
    const sent = await Promise.all(['a', 'b', 'c'].map((id) => queue(session, id)))
    open()
    await threads.idle()
    expect(model.requests).toBe(3)
    expect(model.request(2).messages.slice(-3).map(textOf)).toEqual(['text of a', 'text of b', 'text of c'])
    const [, next] = events.of('turn-start')
    expect(next).toMatchObject({
      text: 'text of a\n\ntext of b\n\ntext of c',
      messageId: 'c',
      messageIds: ['a', 'b', 'c'],
    })
    for (const { delivery, outcome } of sent) {
      expect(await delivery).toEqual({ delivered: true, iteration: 1 })
      expect(await outcome).toMatchObject({ type: 'done', text: 'Two.' })
    }
    await queue(session, 'b')
    await threads.idle()
    expect(model.requests).toBe(3)
    await checkInvariants(store, [THREAD])
  })

  it('start after the release of a hold that came at the end of the turn they waited for', async () => {
    const { threads, session, working, open, model, events } = await start(createMemoryStore(), THREE)
    await session.submit('go')
    await working
    const { outcome } = await queue(session, 'a')
    open()
    await events.next('turn-end')
    await threads.hold()
    expect(model.requests).toBe(2)
    await threads.release()
    await threads.idle()
    expect(model.requests).toBe(3)
    expect(await outcome).toMatchObject({ type: 'done', text: 'Two.' })
  })

  it('become a turn each, in order, in the mode one-by-one, which is the default', async () => {
    const { threads, session, working, open, model } = await start(createMemoryStore(), THREE)
    await session.submit('go')
    await working
    for (const id of ['a', 'b']) await queue(session, id)
    open()
    await threads.idle()
    expect(model.requests).toBe(4)
    expect(textOf(model.request(2).messages.at(-1)!)).toBe('text of a')
    expect(textOf(model.request(3).messages.at(-1)!)).toBe('text of b')
  })

  it('stop the turn in the mode interrupt, and a write in flight ends as interrupted', async () => {
    const steps = [calls('work', {}), says('At once.')]
    const { threads, session, working, model, events } = await start(createMemoryStore(), steps, 'interrupt')
    const first = await session.submit('go')
    await working
    const { outcome } = await queue(session, 'a')
    expect(await first.outcome).toMatchObject({ type: 'aborted', openCalls: [{ tool: 'work' }] })
    expect(await outcome).toMatchObject({ type: 'done', text: 'At once.' })
    expect(events.of('tool-end')).toMatchObject([{ ok: false, failure: { class: 'interrupted' } }])
    expect(textOf(model.request(1).messages.at(-1)!)).toBe('text of a')
    await threads.idle()
  })

  it('are taken along by a message that interrupts the turn they waited for', async () => {
    const steps = [calls('work', {}), says('Both.')]
    const { threads, session, working, model } = await start(createMemoryStore(), steps)
    await session.submit('go')
    await working
    const waiting = await queue(session, 'a')
    const steered = await session.submit('text of b', { mode: 'steer', messageId: 'b' })
    await threads.setQueueMode(THREAD, 'interrupt')
    const { outcome } = await queue(session, 'c')
    expect(await outcome).toMatchObject({ type: 'done', text: 'Both.' })
    const texts = model.request(1).messages.map(textOf)
    expect(texts.slice(-3)).toEqual(['text of a', 'text of b', 'text of c'])
    expect(await waiting.outcome).toEqual(await outcome)
    expect(await steered.outcome).toEqual(await outcome)
    await threads.idle()
    expect(model.requests).toBe(2)
  })

  it('follow the mode of their thread, which survives a restart, before the default', async () => {
    const store = createMemoryStore()
    const before = await start(store, [], 'one-by-one')
    expect(await before.threads.setQueueMode(THREAD, 'collect')).toBe(true)
    expect(await before.threads.setQueueMode('thread_unknown', 'collect')).toBe(false)
    before.kill()
    const next = await start(store, THREE, 'one-by-one')
    expect(await next.threads.get(THREAD)).toMatchObject({ queueMode: 'collect' })
    await next.session.submit('go')
    await next.working
    for (const id of ['a', 'b']) await queue(next.session, id)
    next.open()
    await next.threads.idle()
    expect(next.model.requests).toBe(3)
  })

  it.each(['collect', 'one-by-one'] as const)('work in the mode %s without a store', async (queueMode) => {
    const working = Promise.withResolvers<void>()
    const gate = Promise.withResolvers<string>()
    const work = stubTool('work', () => (working.resolve(), gate.promise))
    const model = new ScriptedModel(...THREE)
    const session = createSession({ model, tools: [work], preface: false, queueMode, safety: ALLOW_ALL })
    await session.submit('go')
    await working.promise
    const sent = await Promise.all(['a', 'b'].map((id) => queue(session, id)))
    gate.resolve('worked')
    const outcomes = await Promise.all(sent.map(({ outcome }) => outcome))
    const isCollected = queueMode === 'collect'
    expect(outcomes.map(({ text }) => text)).toEqual(['Two.', isCollected ? 'Two.' : 'Three.'])
    expect(model.requests).toBe(isCollected ? 3 : 4)
  })

  it.each(MODES)('are neither lost nor doubled in the mode %s, killed after any commit', async (mode) => {
    let isOver = false
    for (let commits = 2; commits < 40 && !isOver; commits++) isOver = await runKilled(mode, commits)
    expect(isOver).toBe(true)
  })

  it('are neither lost nor doubled when one of them interrupts, killed after any commit', async () => {
    let isOver = false
    for (let commits = 2; commits < 40 && !isOver; commits++)
      isOver = await runKilled('one-by-one', commits, { a: 'follow-up', b: 'steer', c: 'interrupt' })
    expect(isOver).toBe(true)
  })
})

describe('a queue mode that another process sets', () => {
  it('holds in a thread that is open, once it is refreshed', async () => {
    const store = createMemoryStore()
    const here = await start(store, THREE)
    const there = await start(store, [])
    await here.session.submit('go')
    await here.working
    await there.threads.setQueueMode(THREAD, 'collect')
    await here.threads.refresh(THREAD)
    for (const id of ['a', 'b']) await queue(here.session, id)
    here.open()
    await here.threads.idle()
    expect(here.model.requests).toBe(3)
  })

  it('holds in a thread that is opened again, also after one that was set here before', async () => {
    const store = createMemoryStore()
    const here = await start(store, THREE)
    const there = await start(store, [])
    await here.threads.setQueueMode(THREAD, 'one-by-one')
    await there.threads.setQueueMode(THREAD, 'collect')
    const session = await here.threads.reopen(THREAD)
    await session.submit('go')
    await here.working
    for (const id of ['a', 'b']) await queue(session, id)
    here.open()
    await here.threads.idle()
    expect(here.model.requests).toBe(3)
  })
})

/** Kills a process after so many commits, lets another one go on, and counts. True: the first one came to its end. */
async function runKilled(
  mode: QueueMode,
  commits: number,
  modes: Readonly<Record<string, SubmitMode>> = {},
): Promise<boolean> {
  const ids = ['a', 'b', 'c']
  const store = createMemoryStore()
  const before = await start(store, [...THREE, says('Four.')], mode, commits)
  const working = (async () => {
    await before.session.submit('go', { messageId: 'm0' })
    await before.working
    for (const id of ids) await queue(before.session, id, modes[id])
    before.open()
    await before.threads.idle()
    return true
  })()
  working.catch(() => undefined)
  const isOver = await Promise.race([working, before.killed.then(() => false)])
  before.kill()

  const next = await start(store, Array<Step>(12).fill(says('Again.')), mode)
  next.open()
  await next.threads.resume()
  // A client sends again what was not acknowledged, and once more what was.
  for (let times = 0; times < 2; times++) {
    for (const id of ids) await queue(next.session, id, modes[id])
    await next.threads.idle()
  }
  expect([commits, await countMessages(store, ids)]).toEqual([commits, [1, 1, 1]])
  expect(await store.runs.unfinished()).toEqual([])
  await checkInvariants(store, [THREAD])
  return isOver
}
