import { describe, expect, it } from 'vitest'
import type { Session } from '../../entry-points/session/session.ts'
import { createSession } from '../../entry-points/session/session.ts'
import {
  ALLOW_ALL,
  ScriptedModel,
  calls,
  callsMany,
  findUnpairedCalls,
  says,
  stubTool,
} from '../../testing/index.ts'

const resultsOf = (session: Session) =>
  session.messages.flatMap((message) => (message.role === 'tool' ? [message] : []))

describe('call ids', () => {
  it('are generated when the model gave none', async () => {
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(
        callsMany([
          { tool: 'look', id: '' },
          { tool: 'find', id: '' },
        ]),
        callsMany([{ tool: 'look', id: '' }]),
        says('ok'),
      ),
      tools: [stubTool('look'), stubTool('find')],
    })
    await session.send('go')
    expect(resultsOf(session).map(({ callId }) => callId)).toEqual([
      'loop-1-0-look',
      'loop-1-1-find',
      'loop-2-0-look',
    ])
  })

  it('stay unique in a conversation, also when a model counts from one each time', async () => {
    const one = calls('look', {}, { id: 'call_0' })
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(one, says('a'), one, says('b'), one, says('c')),
      tools: [stubTool('look')],
    })
    for (const words of ['one', 'two', 'three']) await session.send(words)
    expect(resultsOf(session).map(({ callId }) => callId)).toEqual(['call_0', 'call_0-2', 'call_0-3'])
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('used twice for the same call mean one call', async () => {
    let sent = 0
    const send = { tool: 'send', id: 'x', args: { to: 'ada' } }
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany([send, send]), says('ok')),
      tools: [stubTool('send', () => ++sent, { effect: 'write' })],
    })
    await session.send('go')
    expect(sent).toBe(1)
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('used for one call and twice for another mean two calls', async () => {
    const ran: string[] = []
    const [ada, bob] = ['ada', 'bob'].map((to) => ({ tool: 'send', id: 'x', args: { to } }))
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany([ada!, bob!, bob!]), says('ok')),
      tools: [stubTool('send', ({ to }: { to: string }) => ran.push(to))],
    })
    await session.send('go')
    expect(ran).toEqual(['ada', 'bob'])
  })

  it.each([
    ['other arguments', { tool: 'send', id: 'x', args: { to: 'bob' } }],
    ['another tool', { tool: 'post', id: 'x', args: { to: 'ada' } }],
  ])('used twice, for %s, mean two calls', async (_what, second) => {
    const ran: string[] = []
    const tools = ['send', 'post'].map((name) =>
      stubTool(name, ({ to }: { to: string }) => ran.push(`${name} ${to}`)),
    )
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(
        callsMany([{ tool: 'send', id: 'x', args: { to: 'ada' } }, second]),
        says('ok'),
      ),
      tools,
    })
    await session.send('go')
    expect(ran).toHaveLength(2)
    expect(resultsOf(session).map(({ callId }) => callId)).toEqual(['x', 'x-2'])
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })
})
