import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import {
  calls,
  fails,
  findUnpairedCalls,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'

/** A tool that pauses the turn until the test goes on. */
function pausing(name = 'wait') {
  const begun = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<string>()
  const tool = stubTool(name, () => {
    begun.resolve()
    return goOn.promise
  })
  return { tool, begun: begun.promise, goOn: () => goOn.resolve('waited') }
}

describe('a message sent while a turn runs', () => {
  it('reaches the model before its next call, in the order sent, marked as sent while working', async () => {
    const { tool, begun, goOn } = pausing()
    const events = recordEvents()
    const model = new ScriptedModel(calls('wait'), says('In Oslo, then.'))
    const session = createSession({ model, tools: [tool], onEvent: events.onEvent })
    const turn = session.send('Weather?')
    await begun
    const first = session.steer('I mean in Oslo.')
    const second = session.steer('In Celsius.')
    goOn()
    expect(await turn).toMatchObject({ type: 'done', text: 'In Oslo, then.' })
    expect(await first).toEqual({ delivered: true, iteration: 2 })
    expect(await second).toEqual({ delivered: true, iteration: 2 })
    expect(model.request(1).messages.slice(3)).toMatchObject([
      { role: 'user', delivery: 'steer', parts: [{ text: 'I mean in Oslo.' }] },
      { role: 'user', delivery: 'steer', parts: [{ text: 'In Celsius.' }] },
    ])
    expect(events.of('message-deliver').map((event) => event.text)).toEqual([
      'I mean in Oslo.',
      'In Celsius.',
    ])
  })

  it('comes after the results of the running calls, so that each call keeps its result', async () => {
    const { tool, begun, goOn } = pausing()
    const session = createSession({ model: new ScriptedModel(calls('wait'), says('ok')), tools: [tool] })
    const turn = session.send('go')
    await begun
    void session.steer('hurry')
    goOn()
    await turn
    expect(findUnpairedCalls(session.messages)).toEqual([])
    expect(session.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'user',
      'assistant',
    ])
  })

  it('while the answer streams is answered in the same turn', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(says('Sunny.'), says('Four degrees.'))
    const session = createSession({
      model,
      onEvent(event) {
        events.onEvent(event)
        if (event.type === 'text-delta' && event.iteration === 1) void session.steer('How warm?')
      },
    })
    expect(await session.send('Weather?')).toMatchObject({
      type: 'done',
      text: 'Four degrees.',
      iterations: 2,
    })
    expect(session.messages.map(textOf)).toEqual(['Weather?', 'Sunny.', 'How warm?', 'Four degrees.'])
  })

  it('at turn-start is delivered', async () => {
    let steered: Promise<unknown> | undefined
    const model = new ScriptedModel(says('Oslo.'))
    const session = createSession({
      model,
      onEvent({ type }) {
        if (type === 'turn-start') steered = session.steer('Make it short.')
      },
    })
    await session.send('Capital?')
    expect(await steered).toEqual({ delivered: true, iteration: 1 })
    expect(model.request(0).messages.map(textOf)).toEqual(['Capital?', 'Make it short.'])
  })

  it.each([
    ['was stopped', 'the turn was stopped first'],
    ['ended with a question', 'the turn ended with a question first'],
  ] as const)('too late, because the turn %s, is rejected with the reason', async (how, reason) => {
    const { tool, begun, goOn } = pausing()
    const session = createSession({
      model: new ScriptedModel(calls('wait')),
      tools: [how === 'ended with a question' ? { ...tool, endsTurn: true } : tool],
    })
    const turn = session.send('go')
    await begun
    const steered = session.steer('late')
    if (how === 'was stopped') session.stop()
    goOn()
    await turn
    expect(await steered).toEqual({ delivered: false, reason })
  })

  it('without a running turn is rejected with the reason', async () => {
    const session = createSession({ model: new ScriptedModel(says('ok')) })
    expect(await session.steer('hello?')).toEqual({ delivered: false, reason: 'no turn is running' })
    await session.send('go')
    expect(await session.steer('hello?')).toEqual({ delivered: false, reason: 'no turn is running' })
  })

  it('at the very end is answered or rejected, and never lost', async () => {
    for (const moment of ['usage-update', 'turn-end'] as const) {
      let steered: Promise<{ readonly delivered: boolean }> | undefined
      const session = createSession({
        model: new ScriptedModel(says('a'), says('b')),
        onEvent({ type }) {
          if (type === moment) steered ??= session.steer('wait')
        },
      })
      await session.send('go')
      const { delivered } = await steered!
      expect(session.messages.map(textOf).includes('wait')).toBe(delivered)
    }
  })
})

describe('a follow-up', () => {
  it('becomes its own turn when the running one has ended', async () => {
    const { tool, begun, goOn } = pausing()
    const events = recordEvents()
    const session = createSession({
      model: new ScriptedModel(calls('wait'), says('First.'), says('Second.'), says('Third.')),
      tools: [tool],
      onEvent: events.onEvent,
    })
    const turn = session.send('one')
    await begun
    const followed = [session.followUp('two'), session.followUp('three')]
    goOn()
    expect(await turn).toMatchObject({ type: 'done', text: 'First.' })
    await session.idle()
    expect(await Promise.all(followed)).toEqual([
      { delivered: true, iteration: 1 },
      { delivered: true, iteration: 1 },
    ])
    expect(events.of('turn-end').map(({ outcome }) => outcome.text)).toEqual(['First.', 'Second.', 'Third.'])
    expect(session.messages.filter(({ role }) => role === 'user')).toMatchObject([
      { parts: [{ text: 'one' }] },
      { parts: [{ text: 'two' }], delivery: 'follow-up' },
      { parts: [{ text: 'three' }], delivery: 'follow-up' },
    ])
  })

  it('is awaited by idle(), at any time and by any caller', async () => {
    const { tool, begun, goOn } = pausing()
    const session = createSession({
      model: new ScriptedModel(calls('wait'), says('First.'), says('Second.')),
      tools: [tool],
    })
    const turn = session.send('one')
    const idle = session.idle()
    await begun
    void session.followUp('two')
    goOn()
    await idle
    expect(session.messages.map(textOf).at(-1)).toBe('Second.')
    await turn
  })

  it.each([
    ['was stopped', 'the turn was stopped'],
    ['failed', 'the turn failed'],
    ['ended with a question', 'the turn ended with a question'],
  ] as const)('of a turn that %s is not delivered, and the reason is returned', async (how, reason) => {
    const { tool, begun, goOn } = pausing()
    const session = createSession({
      model: new ScriptedModel(calls('wait'), fails(401)),
      tools: [how === 'ended with a question' ? { ...tool, endsTurn: true } : tool],
    })
    const turn = session.send('one')
    await begun
    const followed = session.followUp('two')
    if (how === 'was stopped') session.stop()
    goOn()
    await turn
    expect(await followed).toEqual({ delivered: false, reason })
    await session.idle()
  })

  it('without a running turn is rejected with the reason', async () => {
    const session = createSession({ model: new ScriptedModel() })
    expect(await session.followUp('two')).toEqual({ delivered: false, reason: 'no turn is running' })
  })
})
