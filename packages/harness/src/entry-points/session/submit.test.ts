import { describe, expect, it } from 'vitest'
import type { ThreadId, TurnEvent } from '@capstan/protocol'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import {
  ALLOW_ALL,
  calls,
  checkInvariants,
  fails,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { ConfigurationError, NotDeliveredError, TurnInProgressError } from '../../turn/errors.ts'
import { textOf } from '../../turn/message/message.ts'
import { streamStateless } from '../stateless-loop.ts'
import { createThreads } from '../threads/threads.ts'
import { createSession } from './session.ts'

const THREAD = 'thread_1' as ThreadId

/** A session whose first call pauses the turn until the test releases it. */
function pausing(steps: readonly Step[], isStored = true) {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<string>()
  const wait = stubTool('wait', () => {
    begun.resolve()
    return goOn.promise
  })
  const store = isStored ? createMemoryStore() : undefined
  const events = recordEvents()
  const model = new ScriptedModel(...steps)
  const session = createSession({
    model,
    tools: [wait],
    threadId: THREAD,
    onEvent: events.onEvent,
    safety: ALLOW_ALL,
    ...(store ? { store } : undefined),
  })
  return { session, model, store: store!, events, begun: begun.promise, goOn: () => goOn.resolve('waited') }
}

describe.each([true, false])('submit, with a store: %s', (isStored) => {
  it('returns the run, delivery and outcome of a message that starts a turn', async () => {
    const { session, events } = pausing([says('Hello.')], isStored)
    const { runId, delivery, outcome } = await session.submit('Hi')
    expect(runId).toBe(events.of('turn-start')[0]!.runId)
    expect(await delivery).toEqual({ delivered: true, iteration: 1 })
    expect(await outcome).toMatchObject({ type: 'done', text: 'Hello.' })
  })

  it('starts a turn with a steer or a follow-up when none is running', async () => {
    const { session, model } = pausing([says('One.'), says('Two.')], isStored)
    const steered = await session.submit('first', { mode: 'steer' })
    expect(await steered.outcome).toMatchObject({ text: 'One.' })
    const followed = await session.submit('second', { mode: 'follow-up' })
    expect(await followed.outcome).toMatchObject({ text: 'Two.' })
    expect(model.request(1).messages.map(textOf)).toEqual(['first', 'One.', 'second'])
  })

  it('returns for a steer the outcome of the turn that takes it', async () => {
    const { session, begun, goOn } = pausing([calls('wait'), says('Both.')], isStored)
    const first = await session.submit('go')
    await begun
    const steered = await session.submit('and hurry', { mode: 'steer' })
    expect(steered.runId).toBeUndefined()
    goOn()
    expect(await steered.delivery).toEqual({ delivered: true, iteration: 2 })
    expect(await steered.outcome).toEqual(await first.outcome)
  })

  it('starts a turn with a steer that came too late, unless the user stopped the turn', async () => {
    for (const isStopped of [false, true]) {
      const { session, begun, goOn } = pausing([calls('wait'), fails(401), says('Now.')], isStored)
      const first = await session.submit('go')
      await begun
      const follow = await session.submit('later', { mode: 'follow-up' })
      if (isStopped) session.stop()
      goOn()
      expect(await first.outcome).toMatchObject({ type: isStopped ? 'aborted' : 'failed' })
      if (isStopped) {
        expect(await follow.delivery).toEqual({ delivered: false, reason: 'the turn was stopped' })
        await expect(follow.outcome).rejects.toBeInstanceOf(NotDeliveredError)
      } else expect(await follow.outcome).toMatchObject({ type: 'done', text: 'Now.' })
      await session.idle()
    }
  })

  it('ends the running turn for an interrupt and starts another', async () => {
    const { session, begun, goOn } = pausing([calls('wait'), says('Instead.')], isStored)
    const first = await session.submit('go')
    await begun
    const next = session.submit('no, this', { mode: 'interrupt' })
    goOn()
    expect(await first.outcome).toMatchObject({ type: 'aborted' })
    expect(await (await next).outcome).toMatchObject({ type: 'done', text: 'Instead.' })
  })

  it('refuses a send while a turn is running, and attachments of a queued message', async () => {
    const { session, begun, goOn } = pausing([calls('wait'), says('Done.')], isStored)
    const first = await session.submit('go')
    await begun
    await expect(session.submit('again')).rejects.toBeInstanceOf(TurnInProgressError)
    const attachments = [{ bytes: new Uint8Array(3), mediaType: 'image/png' }]
    await expect(session.submit({ text: 'see', attachments }, { mode: 'steer' })).rejects.toBeInstanceOf(
      ConfigurationError,
    )
    goOn()
    expect(await first.outcome).toMatchObject({ type: 'done' })
  })

  it('streams the events of its own turn only', async () => {
    const { session, goOn } = pausing([says('One.'), calls('wait'), says('Two.')], isStored)
    await session.send('first')
    goOn()
    const types: string[] = []
    for await (const event of session.stream('second')) types.push(event.type)
    expect(types[0]).toBe('turn-start')
    expect(types.at(-1)).toBe('turn-end')
    expect(types.filter((type) => type === 'turn-start')).toHaveLength(1)
    expect(types).toContain('tool-end')
  })

  it('continues the turn when the reader of its stream leaves', async () => {
    const { session, events } = pausing([says('One.')], isStored)
    for await (const event of session.stream('first')) if (event.type === 'turn-start') break
    await session.idle()
    expect(events.of('turn-end')).toHaveLength(1)
  })

  it('throws from the stream when the turn cannot start', async () => {
    const { session, begun, goOn } = pausing([calls('wait'), says('Done.')], isStored)
    const first = session.send('go')
    await begun
    const read = async () => {
      for await (const _ of session.stream('again')) expect.unreachable()
    }
    await expect(read()).rejects.toBeInstanceOf(TurnInProgressError)
    goOn()
    await first
  })
})

describe('a message that is submitted twice under one id', () => {
  it('is one message in every mode, also when the modes differ', async () => {
    const { session, model, store, begun, goOn } = pausing([calls('wait'), says('Done.'), says('Later.')])
    const ids = { messageId: 'go_1' }
    const [first, second] = await Promise.all([session.submit('go', ids), session.submit('go', ids)])
    expect(second.runId).toBe(first.runId)
    await begun
    expect((await session.submit('go', { ...ids, mode: 'steer' })).runId).toBe(first.runId)
    expect((await session.submit('go', { ...ids, mode: 'interrupt' })).runId).toBe(first.runId)
    const steers = await Promise.all(
      [1, 2].map(() => session.submit('quick', { mode: 'steer', messageId: 'steer_1' })),
    )
    await session.submit('quick', { mode: 'follow-up', messageId: 'steer_1' })
    goOn()
    for (const { outcome } of steers) expect(await outcome).toMatchObject({ text: 'Done.' })
    await session.idle()
    const again = await session.submit('quick', { mode: 'send', messageId: 'steer_1' })
    expect(await again.delivery).toEqual({ delivered: true, iteration: 2 })
    expect(await again.outcome).toMatchObject({ text: 'Done.' })
    expect(model.requests).toBe(2)
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })
})

describe('a parked turn', () => {
  const setUp = async () => {
    const store = createMemoryStore()
    const events = recordEvents()
    const model = new ScriptedModel(calls('send'), says('Sent.'), says('Something else.'))
    const tools = [stubTool('send', undefined, { effect: 'write' })]
    const threads = createThreads({ store, onEvent: events.onEvent, agent: { model, origin: 'web', tools } })
    await threads.create({ id: THREAD })
    const session = await threads.open(THREAD)
    return { store, events, threads, session, model }
  }

  it('reports turn-park with what it waits for, and turn-resume', async () => {
    const { store, events, threads, session } = await setUp()
    const parked = events.next('turn-park')
    const { runId, outcome } = await session.submit('Send it.')
    const { waitsFor, ...park } = await parked
    expect(park).toMatchObject({ runId, threadId: THREAD })
    const [approval] = await threads.pendingApprovals()
    expect(waitsFor).toEqual([{ kind: 'approval', id: approval!.id }])
    await session.idle()
    expect(session.state).toBe('parked')
    await threads.answer(approval!.id, 'allow-once')
    expect(await outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    const order = events.all.map(({ type }) => type).filter((type) => type.startsWith('turn-'))
    expect(order).toEqual(['turn-start', 'turn-park', 'turn-resume', 'turn-end'])
    expect(session.state).toBe('idle')
    expect(await store.ledger.readEvents(THREAD, 0)).toEqual(events.all)
  })

  it('refuses a steer, naming what it waits for, and ends when a message starts a new turn', async () => {
    const { events, threads, session } = await setUp()
    const parked = events.next('turn-park')
    const { outcome } = await session.submit('Send it.')
    await parked
    await session.idle()
    const refusal = session.submit('hurry', { mode: 'steer' })
    await expect(refusal).rejects.toMatchObject({ waitsFor: { kind: 'approval' } })
    expect(await session.steer('hurry')).toEqual({ delivered: false, reason: 'the turn waits for approval' })
    const next = await session.submit('Something else, then.')
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(await next.outcome).toMatchObject({ type: 'done' })
    expect(await threads.pendingApprovals()).toEqual([])
  })

  it('takes a steer that comes while it is being parked once, also after later waits', async () => {
    const inner = createMemoryStore()
    const disk = Promise.withResolvers<void>()
    let isDiskSlow = false
    const sync = () => (isDiskSlow ? disk.promise : undefined)
    const store = { ...inner, ledger: { ...inner.ledger, sync } }
    const model = new ScriptedModel(
      calls('send', { n: 1 }),
      says('One.'),
      calls('send', { n: 2 }),
      says('Two.'),
    )
    let steered: Promise<unknown> | undefined
    const threads = createThreads({
      store,
      agent: { model, origin: 'web', tools: [stubTool('send', undefined, { effect: 'write' })] },
      onEvent(event) {
        if (event.type === 'approval-request' && !steered) {
          isDiskSlow = true
          steered = session.submit('Be quick.', { mode: 'steer', messageId: 'steer_1' })
        }
        if (event.type === 'turn-park') void threads.answer(event.waitsFor[0]!.id, 'allow-once')
      },
    })
    await threads.create({ id: THREAD })
    const session = await threads.open(THREAD)
    const first = await session.submit('First.')
    await session.idle()
    isDiskSlow = false
    disk.resolve() // the steer is recorded now, and the thread is not open
    await steered
    expect(await first.outcome).toMatchObject({ text: 'One.' })
    expect(await session.send('Second.')).toMatchObject({ text: 'Two.' })
    const sent = model.request(3).messages.map(textOf)
    expect(sent.filter((text) => text === 'Be quick.')).toHaveLength(1)
    expect(await store.threads.withQueued()).toEqual([])
    expect(await checkInvariants(store, [THREAD])).toEqual([])
  })

  it('is streamed to its end across the wait', async () => {
    const { threads, session } = await setUp()
    const types: TurnEvent['type'][] = []
    for await (const event of session.stream('Send it.')) {
      types.push(event.type)
      if (event.type === 'turn-park') await threads.answer(event.waitsFor[0]!.id, 'allow-once')
    }
    expect(types.filter((type) => type.startsWith('turn-'))).toEqual([
      'turn-start',
      'turn-park',
      'turn-resume',
      'turn-end',
    ])
  })
})

describe('a stateless run', () => {
  it('streams its events and also passes them to its listener', async () => {
    const events = recordEvents()
    const seen: TurnEvent[] = []
    const model = new ScriptedModel(says('Hello.'))
    for await (const event of streamStateless({ model, input: 'Hi', onEvent: events.onEvent }))
      seen.push(event)
    expect(seen).toEqual(events.all)
    expect(seen.at(-1)).toMatchObject({ type: 'turn-end', outcome: { text: 'Hello.' } })
  })
})
