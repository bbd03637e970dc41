import { describe, expect, it } from 'vitest'
import { getEventListeners } from 'node:events'
import {
  calls,
  findUnpairedCalls,
  recordEvents,
  says,
  ScriptedModel,
  stalls,
  stubTool,
} from '../testing/index.ts'
import type { Message } from '../turn/message/message.ts'
import { textOf } from '../turn/message/message.ts'
import { createSession } from './session/session.ts'
import { runStateless } from './stateless-loop.ts'

describe('a stateless run', () => {
  it('keeps nothing: the caller passes the earlier messages', async () => {
    const model = new ScriptedModel(says('a'), says('b'))
    const messages: Message[] = [{ role: 'user', parts: [{ type: 'text', text: 'earlier' }] }]
    await runStateless({ model, input: 'one', messages })
    await runStateless({ model, input: 'two' })
    expect(model.request(0).messages.map(textOf)).toEqual(['earlier', 'one'])
    expect(model.request(1).messages.map(textOf)).toEqual(['two'])
    expect(messages).toHaveLength(1)
  })

  it('leaves out calls without a result from the messages of its caller', async () => {
    const model = new ScriptedModel(calls('look'), says('a'), says('b'))
    const tools = [stubTool('look', () => 'seen')]
    const session = createSession({ model, tools })
    await session.send('one')
    await runStateless({ model, tools, input: 'two', messages: session.messages.slice(0, 2) })
    expect(findUnpairedCalls(model.request(2).messages)).toEqual([])
    expect(model.request(2).messages.map(({ role }) => role)).toEqual(['user', 'user'])
  })

  it('numbers its own events under the given thread id', async () => {
    const events = recordEvents()
    await runStateless({
      model: new ScriptedModel(says('a')),
      input: 'one',
      threadId: 't',
      onEvent: events.onEvent,
    })
    expect(new Set(events.all.map(({ threadId }) => threadId))).toEqual(new Set(['t']))
    expect(events.all.map(({ seq }) => seq)).toEqual(events.all.map((_, index) => index + 1))
  })

  it('finds its model by name', async () => {
    const model = new ScriptedModel(says('a'))
    const outcome = await runStateless({ model: 'my/model', findModel: () => model, input: 'one' })
    expect(outcome).toMatchObject({ type: 'done', text: 'a' })
  })

  it('obeys the caller’s signal and leaves no listener on it', async () => {
    const controller = new AbortController()
    const events = recordEvents()
    const options = { input: 'one', signal: controller.signal, onEvent: events.onEvent }
    await runStateless({
      ...options,
      model: new ScriptedModel(calls('look'), says('a')),
      tools: [stubTool('look')],
    })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    const stalled = runStateless({ ...options, model: new ScriptedModel(stalls()) })
    await events.next('iteration-start')
    controller.abort(new Error('enough'))
    expect(await stalled).toMatchObject({ type: 'aborted' })
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})
