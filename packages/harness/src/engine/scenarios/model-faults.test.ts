import { describe, expect, it } from 'vitest'
import type { ThreadId } from '@capstan/protocol'
import { createAgent, createTurn, openConversation, openLine } from '../../entry-points/agent.ts'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import type { ModelClient } from '../../models/model-client.ts'
import { failAtCap } from '../../seams/checkpoints/fail-at-cap.ts'
import type { ResponseParser } from '../../seams/seams.ts'
import type { TestClock } from '../../testing/index.ts'
import {
  ALLOW_ALL,
  ScriptedModel,
  calls,
  createTestClock,
  cuts,
  fails,
  finish,
  handMadeModel,
  raw,
  recordEvents,
  says,
  stalls,
  stubTool,
  text,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { runTurn } from '../run-turn.ts'

const passing = (clock: TestClock, ms: number) => new Promise<void>((resolve) => clock.after(ms, resolve))

describe('a silent model', () => {
  it('is abandoned after the idle time and called again, because nothing was shown', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const model = new ScriptedModel(stalls(), says('Here I am.'))
    const turn = runStateless({ model, clock, input: 'hi', onEvent: events.onEvent })
    await clock.waiting()
    await clock.advance(119_999)
    expect(events.of('model-retry')).toEqual([])
    await clock.advance(1)
    expect(events.of('model-retry')).toMatchObject([{ attempt: 1, failure: { class: 'timeout' } }])
    await clock.advance(30_000)
    expect(await turn).toMatchObject({ type: 'done', text: 'Here I am.' })
    expect(model.requests).toBe(2)
  })

  it('is told of after ten seconds of silence, once, with the limit', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const turn = runStateless({
      model: new ScriptedModel(stalls(), says('Here I am.')),
      clock,
      input: 'hi',
      onEvent: events.onEvent,
    })
    await clock.waiting()
    await clock.advance(9_999)
    expect(events.of('model-wait')).toEqual([])
    await clock.advance(1)
    await clock.advance(60_000)
    expect(events.of('model-wait')).toMatchObject([{ iteration: 1, waitedMs: 10_000, limitMs: 120_000 }])
    await clock.advance(90_000)
    await turn
  })

  it('is not idle while parts arrive', async () => {
    const clock = createTestClock()
    const model = handMadeModel(async function* () {
      for (const word of ['a', 'b', 'c', 'd']) {
        await passing(clock, 100_000)
        yield text(word)
      }
      yield finish
    })
    const turn = runStateless({ model, clock, input: 'hi' })
    await clock.waiting()
    await clock.advance(400_000)
    expect(await turn).toMatchObject({ type: 'done', text: 'abcd' })
  })

  it('is stopped by the total time while it still streams', async () => {
    const clock = createTestClock()
    const model = handMadeModel(async function* () {
      for (;;) {
        await passing(clock, 1_000)
        yield text('and ')
      }
    })
    const limits = { model: { totalTimeoutMs: 10_000 } }
    const turn = runStateless({ model, clock, limits, input: 'hi' })
    await clock.waiting()
    await clock.advance(10_000)
    const outcome = await turn
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'timeout' } })
    expect(outcome.text).toContain('and and')
  })

  it('is not charged with the time of a slow watcher', async () => {
    const clock = createTestClock()
    const model = new ScriptedModel(says('one two', { chunk: 4 }))
    let slept = 0
    const turn = runStateless({
      model,
      clock,
      input: 'hi',
      onEvent: async (event) => {
        if (event.type !== 'text-delta' || slept++ > 0) return
        await passing(clock, 300_000)
      },
    })
    await clock.waiting()
    await clock.advance(300_000)
    expect(await turn).toMatchObject({ type: 'done', text: 'one two' })
    expect(model.requests).toBe(1)
  })

  it('has answered once it sent its finish, even if it never closes the stream', async () => {
    const clock = createTestClock()
    const model = new ScriptedModel(stalls([text('All said.'), finish], { ignoresAbort: true }))
    expect(await runStateless({ model, clock, input: 'hi' })).toMatchObject({
      type: 'done',
      text: 'All said.',
    })
  })

  it('is abandoned when it ignores the abort, and later parts are dropped', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    let release = () => {}
    const model = handMadeModel(async function* () {
      yield text('before ')
      await new Promise<void>((resolve) => (release = resolve))
      yield text('after')
      yield finish
    })
    const session = createSession({ model, clock, onEvent: events.onEvent })
    const turn = session.send('hi')
    await events.next('text-delta')
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted', text: 'before ' })
    const eventCount = events.all.length
    release()
    await clock.advance(1)
    expect(events.all).toHaveLength(eventCount)
    expect(session.messages.map(textOf)).toEqual(['hi', 'before '])
  })
})

describe('a stream that breaks off', () => {
  it('after text is continued under a notice, and the answer is whole', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(cuts([text('The capital '), text('is ')]), says('Oslo.'))
    const session = createSession({ model, onEvent: events.onEvent })
    const outcome = await session.send('capital of Norway?')
    expect(outcome).toMatchObject({ type: 'done', text: 'The capital is Oslo.', iterations: 2 })
    expect(events.text()).toBe('The capital is Oslo.')
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'notice', 'assistant'])
    expect(session.messages[1]).toMatchObject({ cut: true })
    expect(textOf(model.request(1).messages[2]!)).toContain('cut off')
    expect(events.of('model-retry')).toEqual([])
  })

  it('is complete when the model has nothing to add', async () => {
    const model = new ScriptedModel(cuts([text('Forty-two.')]), raw([finish]))
    const session = createSession({ model })
    expect(await session.send('hi')).toMatchObject({ type: 'done', text: 'Forty-two.' })
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'notice'])
  })

  it('is continued at most twice; then the turn fails with all text that was shown', async () => {
    const model = new ScriptedModel(cuts([text('one ')]), cuts([text('two ')]), cuts([text('three ')]))
    const outcome = await runStateless({ model, input: 'count' })
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'model_unreachable' } })
    expect(outcome.text).toMatch(/^one two three /)
    expect(model.requests).toBe(3)
  })

  it.each([
    [
      'inside a call',
      [
        { type: 'call-start', id: 'c', tool: 'send' },
        { type: 'call-delta', id: 'c', delta: '{"to":' },
      ],
    ],
    ['after a whole call', [{ type: 'call', id: 'c', tool: 'send', argumentsText: '{}' }]],
    ['after thinking alone', [{ type: 'reasoning', delta: 'Let me see' }]],
    ['after white space alone', [text(' \n')]],
    ['before anything', []],
  ] as const)('%s is retried, and none of its calls runs', async (_where, parts) => {
    const clock = createTestClock()
    const events = recordEvents()
    let sent = 0
    const model = new ScriptedModel(cuts(parts), says('Done.'))
    const turn = runStateless({
      model,
      clock,
      tools: [stubTool('send', () => ++sent)],
      input: 'go',
      onEvent: events.onEvent,
    })
    await events.next('model-retry')
    await clock.advance(30_000)
    expect(await turn).toMatchObject({ type: 'done', text: 'Done.' })
    expect(sent).toBe(0)
    expect(model.request(1).messages).toEqual(model.request(0).messages)
  })

  it('inside a call, after text, is continued without running the call', async () => {
    let sent = 0
    const model = new ScriptedModel(
      cuts([text('Sending. '), { type: 'call-start', id: 'c', tool: 'send' }]),
      calls('send', { to: 'ada' }),
      says('Sent.'),
    )
    const outcome = await runStateless({
      model,
      tools: [stubTool('send', () => ++sent, { effect: 'write' })],
      safety: ALLOW_ALL,
      input: 'go',
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    expect(sent).toBe(1)
  })

  it('has its usage estimated, and marked as estimated', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(cuts([text('A long way. ')]), says('There.'))
    await runStateless({ model, input: 'go', onEvent: events.onEvent })
    const [broken, whole] = events.of('usage-update')
    expect(broken?.call).toMatchObject({ estimated: true, outputTokens: 3 })
    expect(broken?.call.inputTokens).toBeGreaterThan(0)
    expect(whole?.call.estimated).toBeUndefined()
  })

  it('with a status, after text was shown, is not retried', async () => {
    const model = new ScriptedModel(fails(503, { after: [text('Well, ')] }))
    const session = createSession({ model })
    const outcome = await session.send('hi')
    expect(outcome).toMatchObject({ type: 'failed', failure: { class: 'model_unreachable' } })
    expect(outcome.text).toMatch(/^Well, /)
    expect(session.messages.at(-1)).toMatchObject({ role: 'assistant', cut: true })
  })
})

describe('a reply in a text dialect that breaks off', () => {
  // Words until the first `<`; what comes after it is a call.
  const parser: ResponseParser = {
    dialect: 'xml',
    instructions: () => '',
    parse: ({ text: all }) => ({ text: all, calls: [] }),
    openDisplay() {
      let inCall = false
      return {
        push(delta) {
          const at = inCall ? 0 : delta.indexOf('<')
          inCall ||= at >= 0
          return at < 0 ? delta : delta.slice(0, at)
        },
        end: () => '',
      }
    },
  }
  const run = (model: ModelClient, clock: TestClock, events = recordEvents()) => {
    const agent = createAgent('test', { model, clock, onEvent: events.onEvent })
    const turn = createTurn(agent, {
      conversation: openConversation(agent),
      input: 'go',
      line: openLine(agent, 'thread_test' as ThreadId),
      signal: new AbortController().signal,
      checkpoint: failAtCap,
    })
    return runTurn({ ...turn, parser })
  }

  it('inside a call is retried with a fresh parser', async () => {
    const clock = createTestClock()
    const events = recordEvents()
    const turn = run(new ScriptedModel(cuts([text('<call>{"na')]), says('No calls at all.')), clock, events)
    await clock.waiting()
    await clock.advance(30_000)
    expect(await turn).toMatchObject({ type: 'done', text: 'No calls at all.' })
    expect(events.text()).toBe('No calls at all.')
  })

  it('for good never shows half a call', async () => {
    const clock = createTestClock()
    const broken = cuts([text('<call>{"na')])
    const turn = run(new ScriptedModel(cuts([text('Wait. <call>{"na')]), broken, broken, broken), clock)
    await clock.waiting()
    await clock.advance(60_000)
    const outcome = await turn
    expect(outcome.type).toBe('failed')
    expect(outcome.text).toMatch(/^Wait\. \n/)
    expect(outcome.text).not.toContain('<call>')
  })
})

describe('text in very small pieces', () => {
  it('is complete, also when a character is split between two pieces', async () => {
    const words = 'naïve café 👩‍👩‍👧‍👦 मनीष 日本語'
    const units = words.split('').map(text)
    const events = recordEvents()
    const model = new ScriptedModel(raw([...units, finish]))
    const outcome = await runStateless({ model, input: 'hi', onEvent: events.onEvent })
    expect(outcome.text).toBe(words)
    expect(events.text()).toBe(words)
  })

  it('takes time linear in its length: a hundred thousand pieces stay fast', async () => {
    const pieces = Array.from({ length: 100_000 }, () => text('x'))
    const outcome = await runStateless({ model: new ScriptedModel(raw([...pieces, finish])), input: 'hi' })
    expect(outcome.text).toHaveLength(100_000)
  })
})
