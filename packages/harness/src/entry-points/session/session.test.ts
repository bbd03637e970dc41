import { describe, expect, it } from 'vitest'
import { getEventListeners } from 'node:events'
import { setImmediate as tick } from 'node:timers/promises'
import { restoreThread } from '../../ledger/restore-thread.ts'
import type { LedgerRecord } from '../../ports/ledger.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import {
  calls,
  callsMany,
  createTestClock,
  cuts,
  fails,
  findUnpairedCalls,
  malformedCall,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
  text,
} from '../../testing/index.ts'
import { TurnInProgressError } from '../../turn/errors.ts'
import type { Message } from '../../turn/message/message.ts'
import { textOf } from '../../turn/message/message.ts'
import { fail, succeed } from '../../turn/tool/tool-outcome.ts'
import { createSession } from './session.ts'

describe('a session', () => {
  it('remembers earlier messages', async () => {
    const model = new ScriptedModel(says('Hello, Ada.'), says('Ada.'))
    const session = createSession({ model })
    await session.send('I am Ada.')
    await session.send('Who am I?')
    expect(model.request(1).messages.map(textOf)).toEqual(['I am Ada.', 'Hello, Ada.', 'Who am I?'])
    expect(session.messages.map(textOf)).toEqual(['I am Ada.', 'Hello, Ada.', 'Who am I?', 'Ada.'])
  })

  it('can start with earlier messages, which stay unchanged', async () => {
    const earlier: Message[] = [
      { role: 'user', parts: [{ type: 'text', text: 'I am Ada.' }] },
      { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
    ]
    const model = new ScriptedModel(says('Ada.'))
    const session = createSession({ model, messages: earlier })
    expect(session.messages).toEqual(earlier)
    await session.send('Who am I?')
    expect(model.request(0).messages.slice(0, 2)).toEqual(earlier)
    expect(earlier).toHaveLength(2)
  })

  it('has the given thread id, or a new one', () => {
    const model = new ScriptedModel()
    expect(createSession({ model, threadId: 'thread_7' }).threadId).toBe('thread_7')
    expect(createSession({ model }).threadId).not.toBe(createSession({ model }).threadId)
  })

  it('runs one turn at a time; a refused send does not affect the running turn', async () => {
    const events = recordEvents()
    const release = Promise.withResolvers<string>()
    const model = new ScriptedModel(calls('wait'), says('Done.'))
    const session = createSession({
      model,
      tools: [stubTool('wait', () => release.promise)],
      onEvent: events.onEvent,
    })
    const first = session.send('one')
    await events.next('tool-start')
    await expect(session.send('two')).rejects.toBeInstanceOf(TurnInProgressError)
    await expect(session.continue('x')).rejects.toBeInstanceOf(TurnInProgressError)
    release.resolve('ok')
    expect(await first).toMatchObject({ type: 'done', text: 'Done.' })
    expect(session.messages.map(textOf)).not.toContain('two')
  })

  it('is already running at its first event, so a listener cannot start a second turn', async () => {
    let second: Promise<unknown> | undefined
    const session = createSession({
      model: new ScriptedModel(says('ok')),
      onEvent({ type }) {
        if (type === 'turn-start') second = session.send('two').catch((error: unknown) => error)
      },
    })
    await session.send('one')
    expect(await second).toBeInstanceOf(TurnInProgressError)
  })

  it('can send after a failed turn', async () => {
    const model = new ScriptedModel(fails(401), says('Better.'))
    const session = createSession({ model })
    expect(await session.send('one')).toMatchObject({ type: 'failed' })
    expect(await session.send('two')).toMatchObject({ type: 'done', text: 'Better.' })
  })

  it('can send after a turn that could not start', async () => {
    let broken = true
    const session = createSession({
      model: new ScriptedModel(says('ok')),
      preface() {
        if (broken) throw new Error('no preface')
        return ''
      },
    })
    await expect(session.send('one')).rejects.toThrow('no preface')
    broken = false
    expect(await session.send('two')).toMatchObject({ type: 'done' })
  })

  it('is idle at once when nothing runs', async () => {
    await createSession({ model: new ScriptedModel() }).idle()
  })
})

describe('a session that is stopped', () => {
  it('ends its turn as aborted with a valid history, and can send again', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const hangs = Promise.withResolvers<void>()
    const hang = stubTool('hang', () => {
      hangs.resolve()
      return new Promise<never>(() => {})
    })
    const model = new ScriptedModel(calls('hang'), says('Again.'))
    const session = createSession({ model, clock, tools: [hang], onEvent: events.onEvent })
    const turn = session.send('one')
    await hangs.promise
    session.stop()
    await clock.advance(1_000)
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(findUnpairedCalls(session.messages)).toEqual([])
    expect(events.of('tool-end')[0]).toMatchObject({ failure: { class: 'cancelled', category: 'stopped' } })
    expect(await session.send('two')).toMatchObject({ type: 'done', text: 'Again.' })
  })

  it('by a listener at the first event never calls the model', async () => {
    const model = new ScriptedModel()
    const session = createSession({
      model,
      onEvent({ type }) {
        if (type === 'turn-start') session.stop()
      },
    })
    expect(await session.send('one')).toMatchObject({ type: 'aborted', iterations: 0 })
  })

  it('by the caller’s signal ends as aborted, also when the signal had fired before', async () => {
    const model = new ScriptedModel(stalls())
    const events = recordEvents()
    const session = createSession({ model, onEvent: events.onEvent })
    const controller = new AbortController()
    const turn = session.send('one', { signal: controller.signal })
    await events.next('iteration-start')
    await tick()
    controller.abort()
    expect(await turn).toMatchObject({ type: 'aborted' })
    expect(await session.send('two', { signal: AbortSignal.abort() })).toMatchObject({ type: 'aborted' })
    expect(model.requests).toBe(1)
  })

  it('leaves no listener on the caller’s signal', async () => {
    const { signal } = new AbortController()
    const session = createSession({ model: new ScriptedModel(says('a'), fails(401)) })
    await session.send('one', { signal })
    await session.send('two', { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('while idle does not stop the next turn', async () => {
    const session = createSession({ model: new ScriptedModel(says('ok')) })
    session.stop()
    expect(await session.send('one')).toMatchObject({ type: 'done' })
  })
})

describe('the prompt of a session', () => {
  it('is built at the first turn, not when the session is read', async () => {
    const live = createLiveTools()
    const model = new ScriptedModel(says('ok'))
    const session = createSession({ model, tools: live })
    expect(session.messages).toEqual([])
    live.add(stubTool('mail'))
    await session.send('go')
    expect(model.request(0).tools.map(({ name }) => name)).toContain('mail')
    expect(model.request(0).messages.map(({ role }) => role)).toEqual(['user'])
  })

  it.each(['native', 'xml', 'pformat'] as const)(
    'stays the same while tools are added and removed, and each change is announced once (%s)',
    async (dialect) => {
      const live = createLiveTools([stubTool('clock')])
      const events = recordEvents()
      const model = new ScriptedModel(says('a'), says('b'), says('c'), says('d'))
      const session = createSession({
        model,
        dialect,
        tools: live,
        instructions: 'Be kind.',
        onEvent: events.onEvent,
      })
      await session.send('one')
      live.add(stubTool('mail'))
      await session.send('two')
      live.remove('clock')
      await session.send('three')
      await session.send('four')
      const systems = new Set([0, 1, 2, 3].map((n) => model.request(n).system))
      expect(systems.size).toBe(1)
      expect([...systems][0]).toMatch(/^Be kind\./)
      expect(events.of('notice-add').map(({ text: line }) => line.slice(0, 30))).toEqual([
        expect.stringContaining('"mail"'),
        expect.stringContaining('"clock"'),
      ])
      expect(events.of('prefix-break')).toEqual([])
      const notices = model.request(3).messages.filter(({ role }) => role === 'notice')
      expect(notices).toHaveLength(2)
    },
  )
})

describe('the ledger of a session', () => {
  it('records a turn from start to end and restores to the same messages', async () => {
    const store = createMemoryStore()
    const model = new ScriptedModel(calls('clock'), says('Noon.'))
    const session = createSession({ model, store, tools: [stubTool('clock', () => '12:00')] })
    await session.send('time?')
    const records = await store.ledger.read(session.threadId)
    expect(records.flatMap(({ type }) => (type === 'event' ? [] : [type]))).toEqual([
      'conversation-open',
      'run-start',
      'message',
      'usage',
      'message',
      'call-result',
      'usage',
      'message',
      'run-end',
    ])
    expect(restoreThread(records).conversations.get(session.threadId)?.messages).toEqual(session.messages)
  })

  it('has the outcome before turn-end is announced', async () => {
    const store = createMemoryStore()
    let known: readonly LedgerRecord[] = []
    const session = createSession({
      model: new ScriptedModel(says('ok')),
      store,
      async onEvent({ type, threadId }) {
        if (type === 'turn-end') known = [...(await store.ledger.read(threadId))]
      },
    })
    await session.send('hi')
    expect(known.findLast(({ type }) => type === 'run-end')).toMatchObject({
      outcome: { type: 'done', text: 'ok' },
    })
  })

  it('holds records that survive a round trip through JSON', async () => {
    const store = createMemoryStore()
    const model = new ScriptedModel(
      calls('draw', { at: { x: 1, y: null } }, { reasoning: 'Hm.', text: 'Drawing.' }),
      callsMany([{ tool: 'broken' }, { tool: 'nowhere' }]),
      malformedCall('draw', '{'),
      calls('delegate_to_scout', { prompt: 'go' }),
      says('Scouted.'),
      cuts([text('Almost ')]),
      says('there.'),
      fails(429, { retryAfterMs: 99_000 }),
      calls('ask', {}),
    )
    const media = [{ mediaType: 'image/png', bytes: new Uint8Array(3) }]
    const session = createSession({
      model,
      store,
      tools: [
        stubTool('draw', () => succeed('drawn', { media })),
        stubTool('broken', () => fail('no', { httpStatus: 503, retryAfterMs: 5 })),
        stubTool('ask', () => 'Which?', { endsTurn: true }),
      ],
      agents: [{ id: 'scout', description: 'Scouts.', instructions: 'Scout.' }],
    })
    await session.send({ text: 'look', attachments: [{ bytes: new Uint8Array(3), mediaType: 'image/png' }] })
    await session.send('again')
    await session.send('and again')
    const capped = createSession({ model: new ScriptedModel(), store, budget: { usd: Number.NaN } })
    await capped.send('now')
    for (const threadId of [session.threadId, capped.threadId]) {
      const records = await store.ledger.read(threadId)
      expect(records.length).toBeGreaterThan(2)
      for (const record of records)
        if (record.type !== 'media') expect(JSON.parse(JSON.stringify(record))).toEqual(record)
    }
  })
})
