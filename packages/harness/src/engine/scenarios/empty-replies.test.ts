import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import {
  calls,
  callsMany,
  cuts,
  empty,
  fails,
  finish,
  raw,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
  text,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'

const clockTool = stubTool('clock', () => '12:00')

describe('an empty reply', () => {
  it.each([
    ['nothing', empty()],
    ['white space', says(' \n\t ')],
    ['characters without a shape', says('\u200b\ufeff')],
    ['thoughts alone', raw([{ type: 'reasoning', delta: 'Hm.' }, finish])],
  ])('of %s, without any call, is asked for once more', async (_what, reply) => {
    const model = new ScriptedModel(reply, says('Better.'))
    expect(await createSession({ model }).send('hi')).toMatchObject({ type: 'done', text: 'Better.' })
  })

  it.each([
    ['nothing', empty()],
    ['white space', says(' \n\t ')],
    ['characters without a shape', says('\u200b\ufeff')],
    ['thoughts alone', raw([{ type: 'reasoning', delta: 'Hm.' }, finish])],
  ])('of %s that comes twice is a failure and stays out of the history', async (_what, reply) => {
    const model = new ScriptedModel(reply, reply, says('Better.'))
    const session = createSession({ model })
    const outcome = await session.send('hi')
    expect(outcome).toMatchObject({
      type: 'failed',
      iterations: 2,
      failure: {
        class: 'model_unreachable',
        evidence: { rule: 'empty-reply', fact: 'iteration 2, finish stop' },
      },
    })
    expect(outcome.text).toMatch(/nothing/)
    expect(session.messages.map(({ role }) => role)).toEqual(['user'])
    await session.send('again')
    expect(model.request(2).messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('after calls makes one more request with tools off, and its text is the answer', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('clock'), empty(), says('It is noon.'))
    const session = createSession({ model, tools: [clockTool], onEvent: events.onEvent })
    const outcome = await session.send('time?')
    expect(outcome).toMatchObject({ type: 'done', text: 'It is noon.', iterations: 2 })
    expect(model.request(2).tools).toEqual([])
    expect(outcome.usage.inputTokens).toBe(30)
    expect(events.text()).toBe('It is noon.')
    expect(session.messages.map(textOf).at(-1)).toBe('It is noon.')
    expect(session.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant'])
  })

  it.each([
    ['stays silent', empty()],
    ['fails', fails(401)],
    ['breaks off', cuts([text('It is')])],
  ])(
    'after calls is answered with a list of the calls when the model %s a second time',
    async (_how, again) => {
      const model = new ScriptedModel(callsMany([{ tool: 'clock' }, { tool: 'nowhere' }]), empty(), again)
      const outcome = await runStateless({ model, tools: [clockTool], input: 'time?' })
      expect(outcome.type).toBe('done')
      expect(outcome.text).toContain('clock [ok]: 12:00')
      expect(outcome.text).toContain('nowhere [failed]')
    },
  )

  it('makes no further request when the budget is used up', async () => {
    const model = new ScriptedModel(calls('clock'), empty())
    const outcome = await runStateless({ model, tools: [clockTool], input: 'go', budget: { iterations: 2 } })
    expect(outcome).toMatchObject({ type: 'done' })
    expect(outcome.text).toContain('clock [ok]: 12:00')
  })

  it('ends as aborted when the user stops the request for closing words', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('clock'), empty(), stalls([text('It')]))
    const session = createSession({ model, tools: [clockTool], onEvent: events.onEvent })
    const turn = session.send('time?')
    await events.next('text-delta')
    session.stop()
    expect(await turn).toMatchObject({ type: 'aborted' })
  })

  it('of a question tool still asks a question', async () => {
    const ask = stubTool('ask_user', () => '  ', { endsTurn: true })
    const outcome = await runStateless({
      model: new ScriptedModel(calls('ask_user')),
      tools: [ask],
      input: 'go',
    })
    expect(outcome.type).toBe('needs-input')
    expect(outcome.text.trim()).not.toBe('')
  })

  it('with calls is no failure', async () => {
    const model = new ScriptedModel(calls('clock'), says('Noon.'))
    expect(await runStateless({ model, tools: [clockTool], input: 'time?' })).toMatchObject({ type: 'done' })
  })

  it('that was cut by the output limit is answered, and marked as cut', async () => {
    const model = new ScriptedModel(says('Once upon', { finish: 'length' }))
    const outcome = await runStateless({ model, input: 'a story' })
    expect(outcome).toMatchObject({ type: 'done', text: 'Once upon', cut: 'length' })
  })
})
