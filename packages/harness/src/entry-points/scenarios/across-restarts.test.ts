import { describe, expect, it } from 'vitest'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, callsMany, says, ScriptedModel } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { ConfigurationError } from '../../turn/errors.ts'
import { textOf } from '../../turn/message/message.ts'
import type { AgentOptions } from '../agent-options.ts'
import { sound, start, THREAD } from './restarts.fixture.ts'

describe('a conversation', () => {
  it('keeps its messages and its system prompt, byte for byte, when the model is switched', async () => {
    const store = createMemoryStore()
    const { session, model, threads } = await start(store, [says('Hello, Ada.')], {
      tools: [stubTool('look')],
    })
    await session.send('I am Ada.')
    const other = ScriptedModel.with({ id: 'other/model' }, says('Ada.'), says('Still Ada.'))
    session.useModel(other)
    expect(await session.send('Who am I?')).toMatchObject({ text: 'Ada.' })
    expect(other.request(0).system).toBe(model.request(0).system)
    expect(other.request(0).messages.map(textOf)).toEqual(['I am Ada.', 'Hello, Ada.', 'Who am I?'])
    const runs = await store.runs.list({ userId: 'local' })
    expect(runs.map((run) => run.model)).toEqual(['other/model', 'scripted/model'])
    // The thread keeps the model for every later open.
    expect(await (await threads.open(THREAD)).send('And now?')).toMatchObject({ text: 'Still Ada.' })
    expect(await sound(store)).toEqual([])
  })

  it('stays compacted after a restart', async () => {
    const store = createMemoryStore()
    const abilities = { contextWindow: 2_000 }
    const long = 'The tide comes in and goes out again. '.repeat(60)
    const before = await start(store, [], {
      model: ScriptedModel.with(
        { abilities },
        says(long),
        says(long, { usage: { inputTokens: 1_900 } }),
        says('They spoke of tides.'),
        says('Yes.'),
      ),
    })
    await before.session.send('Write.')
    await before.session.send('Write again.')
    await before.session.send('Was that all?')
    expect(before.events.of('history-compact')).toHaveLength(1)
    const messages = before.session.messages
    before.kill()

    const model = ScriptedModel.with({ abilities }, says('Good.'))
    const next = await start(store, [], { model })
    await next.session.load()
    expect(next.session.messages).toEqual(messages)
    await next.session.send('Good.')
    expect(model.request(0).messages.slice(0, messages.length)).toEqual(messages)
    expect(next.events.of('prefix-break')).toEqual([])
    expect(await sound(store)).toEqual([])
  })

  it('reports all attachments of a message in turn-start', async () => {
    const before = await start(createMemoryStore(), [says('Read.')])
    const bytes = new TextEncoder().encode('18:40')
    const times = { bytes, mediaType: 'text/plain', name: 'times.txt' }
    await before.session.send({ text: 'When?', attachments: [times, { bytes, mediaType: 'image/png' }] })
    await before.session.send({
      text: 'And?',
      attachments: [{ bytes, mediaType: 'video/mp4', name: 'a.mp4' }],
    })
    expect(before.events.of('turn-start').map(({ attachments }) => attachments)).toEqual([
      [
        { mediaType: 'text/plain', name: 'times.txt' },
        { mediaType: 'image/png', ref: expect.any(String) },
      ],
      [{ mediaType: 'video/mp4', name: 'a.mp4' }],
    ])
  })

  it('keeps its images after a restart', async () => {
    const store = createMemoryStore()
    const bytes = new Uint8Array([137, 80, 78, 71, 1, 2, 3])
    const before = await start(store, [says('A cat.')])
    const attachments = [{ bytes, mediaType: 'image/png', name: 'cat.png' }]
    await before.session.send({ text: 'What is it?', attachments })
    const [start0] = before.events.of('turn-start')
    const image = start0!.attachments![0]!.ref!
    expect(start0!.attachments).toEqual([{ ref: image, mediaType: 'image/png', name: 'cat.png' }])
    expect(await store.ledger.readMedia(start0!.threadId, image)).toEqual(bytes)
    before.kill()
    const next = await start(store, [says('Still a cat.'), says('Two cats.')])
    await next.session.send('Sure?')
    await next.session.send({
      text: 'And this?',
      attachments: [{ bytes: bytes.slice(4), mediaType: 'image/png' }],
    })
    const { messages, media } = next.model.request(1)
    const refs = messages.flatMap((message) =>
      message.role === 'user'
        ? message.parts.flatMap((part) => (part.type === 'image' ? [part.ref] : []))
        : [],
    )
    expect(refs.map((ref) => media.get(ref))).toEqual([bytes, bytes.slice(4)])
    expect(await sound(store)).toEqual([])
  })

  it('can be continued once with its token after a restart', async () => {
    const store = createMemoryStore()
    const limits = { maxIterations: 1 }
    const tools = [stubTool('look', () => 'a page')]
    const before = await start(store, [calls('look', {}), says('One page so far.')], { limits, tools })
    const capped = await before.session.send('Read it all.')
    const token = capped.type === 'capped' ? capped.resumeToken : undefined
    if (token === undefined) return expect.unreachable(capped.type)
    before.kill()
    const next = await start(store, [says('Read.')], { limits, tools })
    await expect(next.session.continue('another')).rejects.toThrow(ConfigurationError)
    expect(await (await next.session.continue(token)).outcome).toMatchObject({ type: 'done', text: 'Read.' })
    await expect(next.session.continue(token)).rejects.toThrow(ConfigurationError)
    expect(await sound(store)).toEqual([])
  })
})

describe('a message queued for a parked turn', () => {
  const send = stubTool('send', () => 'sent', { effect: 'write' })
  const options = { tools: [send, stubTool('look', () => 'a page')] }
  const asks = calls('send', {}, { id: 's1' })

  /** Starts a turn that waits for an approval, with one message for it and one for the next turn. */
  async function startWithMessages(store: Store) {
    const process = await start(store, [asks, says('Sent.'), says('Later is now.')], options)
    const { session, events, threads } = process
    const queued: Promise<unknown>[] = []
    const asked = events.next('approval-request')
    const starts = events.next('iteration-start')
    const outcome = session.send('Send it.')
    outcome.catch(() => {})
    await starts
    queued.push(
      session.steer('Be quick.', { messageId: 'steer_1' }),
      session.followUp('And later?', { messageId: 'follow_1' }),
    )
    const { approvalId } = await asked
    await threads.idle()
    return { ...process, approvalId, queued, outcome }
  }

  it('is recorded before it is accepted, and once when submitted twice', async () => {
    const store = createMemoryStore()
    const { session, threads, approvalId, outcome } = await startWithMessages(store)
    await session.submit('Be quick.', { mode: 'steer', messageId: 'steer_1' })
    await session.submit('And later?', { mode: 'follow-up', messageId: 'follow_1' })
    const queued = (await store.ledger.read(THREAD)).filter(({ type }) => type === 'message-queue')
    expect(queued).toHaveLength(2)
    await threads.answer(approvalId, 'deny')
    await outcome
  })

  it('reaches the model when the turn is resumed', async () => {
    const store = createMemoryStore()
    const { threads, approvalId, queued, outcome, model } = await startWithMessages(store)
    await threads.answer(approvalId, 'allow-once')
    expect(await outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    await threads.idle()
    expect(await Promise.all(queued)).toEqual([
      { delivered: true, iteration: 2 },
      { delivered: true, iteration: 1 },
    ])
    expect(model.request(1).messages.map(textOf)).toContain('Be quick.')
    expect(model.request(2).messages.map(textOf).slice(-2)).toEqual(['Sent.', 'And later?'])
    expect(await sound(store)).toEqual([])
  })

  it('survives a kill and is delivered once, also when submitted again', async () => {
    const store = createMemoryStore()
    const before = await startWithMessages(store)
    before.kill()
    const next = await start(store, [says('Sent.'), says('Later is now.')], options)
    expect(await next.threads.resume()).toEqual({ running: 0, waiting: 1 })
    await next.threads.answer(before.approvalId, 'allow-once')
    const again = next.session.steer('Be quick.', { messageId: 'steer_1' })
    await next.threads.idle()
    expect(await again).toMatchObject({ delivered: true })
    const received = next.model.request(1).messages.map(textOf)
    expect(received.filter((words) => words === 'Be quick.')).toHaveLength(1)
    expect(received.at(-1)).toBe('And later?')
    expect(await store.threads.withQueued()).toEqual([])
    expect(await sound(store)).toEqual([])
  })

  it('is sent instead of the answer: the turn ends without running its call, and the message starts a new turn', async () => {
    const store = createMemoryStore()
    const before = await start(store, [asks], options)
    const asked = before.events.next('approval-request')
    void before.session.send('Send it.').catch(() => {})
    const { approvalId } = await asked
    await before.threads.idle()
    before.kill()
    const next = await start(store, [says('Very well.')], options)
    await next.threads.resume()
    expect(await next.session.interrupt('Never mind.')).toMatchObject({ type: 'done', text: 'Very well.' })
    expect(await next.threads.answer(approvalId, 'allow-once')).toBe('already-answered')
    const runs = await store.runs.list({ userId: 'local' })
    expect(runs.map(({ status }) => status)).toEqual(['done', 'aborted'])
    expect(await sound(store)).toEqual([])
  })
})

describe('a parked turn that is stopped', () => {
  const helper = (level: number): NonNullable<AgentOptions['agents']>[number] => ({
    id: `helper_${level}`,
    description: 'helps',
    instructions: `You are at ${level}.`,
    agents: level < 3 ? [helper(level + 1)] : [],
  })
  const deep = {
    agents: [helper(1)],
    tools: [stubTool('send', () => expect.unreachable(), { effect: 'write' })],
  }
  const down = [1, 2, 3].map((level) =>
    calls(`delegate_to_helper_${level}`, { prompt: 'Go.' }, { id: `d${level}` }),
  )

  it.each(['in the process that asked', 'in the next one'])(
    'ends with all its sub-agents %s',
    async (where) => {
      const store = createMemoryStore()
      const before = await start(store, [...down, calls('send', {}, { id: 's1' })], deep)
      const asked = before.events.next('approval-request')
      const { runId } = await before.session.submit('Send it.')
      const { approvalId } = await asked
      await before.threads.idle()
      expect((await store.runs.tree(runId!)).map(({ status }) => status)).toEqual(Array(4).fill('waiting'))
      const isNext = where === 'in the next one'
      if (isNext) before.kill()
      const here = isNext ? await start(store, [], deep) : before
      if (isNext) await here.threads.resume()
      const ends = here.events.of('turn-end').length
      here.session.stop(runId)
      while (here.events.of('turn-end').length < ends + 4) await here.events.next('turn-end')
      await here.session.idle()
      expect((await store.runs.tree(runId!)).map(({ status }) => status)).toEqual(Array(4).fill('aborted'))
      expect(await store.runs.unfinished()).toEqual([])
      expect(await here.threads.pendingApprovals()).toEqual([])
      expect(await here.threads.answer(approvalId, 'allow-once')).toBe('already-answered')
      expect(await sound(store)).toEqual([])
    },
  )

  it('withdraws all approvals of its sub-agents', async () => {
    const store = createMemoryStore()
    const reader = {
      id: 'reader',
      description: 'reads',
      instructions: 'You read.',
      effectCeiling: 'read',
    } as const
    const options: Partial<AgentOptions> = {
      agents: [reader],
      tools: [stubTool('look', () => expect.unreachable())],
      safety: { rules: [{ tool: 'look', decision: 'ask' }] },
    }
    const both = [1, 2].map((n) => ({
      tool: 'delegate_to_reader',
      args: { prompt: `Read ${n}.` },
      id: `d${n}`,
    }))
    const { session, events, threads } = await start(
      store,
      [callsMany(both), calls('look', { n: 1 }, { id: 'l1' }), calls('look', { n: 2 }, { id: 'l2' })],
      options,
    )
    const { runId } = await session.submit('Read.')
    await threads.idle()
    expect(await threads.pendingApprovals()).toHaveLength(2)
    const end = events.next('turn-end')
    session.stop(runId)
    await end
    await session.idle()
    expect(await store.runs.unfinished()).toEqual([])
    expect(await threads.pendingApprovals()).toEqual([])
    expect(await sound(store)).toEqual([])
  })
})
