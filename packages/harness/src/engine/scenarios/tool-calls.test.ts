import { describe, expect, it } from 'vitest'
import { setImmediate as tick } from 'node:timers/promises'
import type { Session } from '../../entry-points/session/session.ts'
import { createSession } from '../../entry-points/session/session.ts'
import { runStateless } from '../../entry-points/stateless-loop.ts'
import type { Guard } from '../../guards/guard.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import {
  ALLOW_ALL,
  ScriptedModel,
  calls,
  callsMany,
  findUnpairedCalls,
  malformedCall,
  recordEvents,
  says,
  stubTool,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { Effect } from '../../turn/tool/tool.ts'
import { defineTool } from '../../turn/tool/tool.ts'

/** A tool whose calls wait until the test lets them go, and that knows how many ran at once. */
function gated(name: string, effect: Effect = 'read') {
  const waiting: (() => void)[] = []
  const log: string[] = []
  const state = { running: 0, most: 0 }
  const tool = stubTool(
    name,
    async ({ n }: { n: number }) => {
      state.most = Math.max(state.most, ++state.running)
      log.push(`start ${n}`)
      await new Promise<void>((resolve) => waiting.push(resolve))
      state.running--
      log.push(`end ${n}`)
      return `result ${n}`
    },
    { effect },
  )
  /** Lets everything go, from the last to the first, until nothing starts any more. */
  const release = async () => {
    await tick()
    while (waiting.length > 0) {
      waiting.pop()!()
      await tick()
    }
  }
  return { tool, log, state, release }
}

const many = (tool: string, count: number) => Array.from({ length: count }, (_, n) => ({ tool, args: { n } }))
const resultsOf = (session: Session) =>
  session.messages.flatMap((message) => (message.role === 'tool' ? [message] : []))

describe('calls of one reply', () => {
  it('that only read run together, eight at most, and keep the order asked', async () => {
    const { tool, state, release } = gated('look')
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('look', 20)), says('ok')),
      tools: [tool],
    })
    const turn = session.send('go')
    await release()
    await turn
    expect(state.most).toBe(8)
    expect(resultsOf(session).map(({ text: line }) => line)).toEqual(
      many('', 20).map(({ args }) => `result ${args.n}`),
    )
  })

  it('are judged by what was sent and by what runs, once each', async () => {
    const judged: unknown[] = []
    const tool = stubTool('save', () => 'saved', {
      effect(args) {
        judged.push(args['n'])
        return 'write'
      },
    })
    await createSession({
      safety: ALLOW_ALL,
      store: createMemoryStore(),
      model: new ScriptedModel(callsMany(many('save', 2)), says('ok')),
      tools: [tool],
    }).send('go')
    expect(judged).toEqual([0, 0, 1, 1])
  })

  it('that write run alone and in order', async () => {
    const { tool, state, log, release } = gated('save', 'write')
    const turn = runStateless({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('save', 3)), says('ok')),
      tools: [tool],
      input: 'go',
    })
    await release()
    await turn
    expect(state.most).toBe(1)
    expect(log).toEqual(['start 0', 'end 0', 'start 1', 'end 1', 'start 2', 'end 2'])
  })

  it('run in order around a write: reads before it finish first, reads after it wait', async () => {
    const log: string[] = []
    const note = (name: string, effect: Effect) =>
      stubTool(
        name,
        async ({ n }: { n: number }) => {
          log.push(`${name} ${n} starts`)
          await tick()
          log.push(`${name} ${n} ends`)
        },
        { effect },
      )
    const model = new ScriptedModel(
      callsMany([
        { tool: 'look', args: { n: 1 } },
        { tool: 'look', args: { n: 2 } },
        { tool: 'save', args: { n: 3 } },
        { tool: 'look', args: { n: 4 } },
      ]),
      says('ok'),
    )
    await runStateless({
      safety: ALLOW_ALL,
      model,
      tools: [note('look', 'read'), note('save', 'write')],
      input: 'go',
    })
    expect(log.indexOf('look 2 starts')).toBeLessThan(log.indexOf('look 1 ends'))
    expect(log.indexOf('save 3 starts')).toBeGreaterThan(log.indexOf('look 2 ends'))
    expect(log.indexOf('look 4 starts')).toBeGreaterThan(log.indexOf('save 3 ends'))
  })

  it('are independent: a failed call does not affect the others', async () => {
    const tool = stubTool('look', ({ n }: { n: number }) => {
      if (n === 1) throw new Error('no')
      return `result ${n}`
    })
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('look', 3)), says('ok')),
      tools: [tool],
    })
    await session.send('go')
    expect(resultsOf(session).map(({ ok }) => ok)).toEqual([true, false, true])
  })

  it('without a declared effect are treated as writes', async () => {
    const { tool, state, release } = gated('act')
    const undeclared = defineTool({
      name: 'act',
      description: 'acts',
      input: { type: 'object' },
      run: tool.run as never,
    })
    const turn = runStateless({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('act', 2)), says('ok')),
      tools: [undeclared],
      input: 'go',
    })
    await release()
    await turn
    expect(state.most).toBe(1)
  })
})

describe('a batch that is cut short', () => {
  it('by a question leaves every call with a result and an end event', async () => {
    let sent = 0
    const events = recordEvents()
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(
        callsMany([
          { tool: 'look' },
          { tool: 'ask_user', id: 'q' },
          { tool: 'send' },
          { tool: 'look', args: { n: 2 } },
        ]),
      ),
      tools: [
        stubTool('look'),
        stubTool('ask_user', () => 'Which Ada?', { endsTurn: true }),
        stubTool('send', () => ++sent, { effect: 'write' }),
      ],
      onEvent: events.onEvent,
    })
    const outcome = await session.send('write to Ada')
    expect(outcome).toMatchObject({ type: 'needs-input', text: 'Which Ada?', callId: 'q' })
    expect(sent).toBe(0)
    expect(findUnpairedCalls(session.messages)).toEqual([])
    expect(resultsOf(session).slice(2).map(textOf)).toEqual([
      'Error: not run, because the turn ended before its turn came.',
      'Error: not run, because the turn ended before its turn came.',
    ])
    const started = events.of('tool-start').map(({ callId }) => callId)
    expect(events.of('tool-end').map(({ callId }) => callId)).toEqual(started)
    expect(started).toHaveLength(4)
    expect(events.of('tool-end').at(-1)).toMatchObject({ ok: false, failure: { class: 'cancelled' } })
  })

  it('by the user leaves every call with a result, and starts no further call', async () => {
    let sent = 0
    const session: Session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(
        callsMany([{ tool: 'quit' }, { tool: 'send' }, { tool: 'send', args: { n: 2 } }]),
      ),
      tools: [
        stubTool('quit', () => session.stop(), { effect: 'write' }),
        stubTool('send', () => ++sent, { effect: 'write' }),
      ],
    })
    expect(await session.send('go')).toMatchObject({ type: 'aborted' })
    expect(sent).toBe(0)
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('by a guard, before any call ran, has a result for each call', async () => {
    let ran = 0
    const guard: Guard = {
      name: 'no-way',
      beforeCalls: () => ({ action: 'halt', text: 'I stopped before I began.' }),
    }
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('send', 2))),
      tools: [stubTool('send', () => ++ran)],
      guards: () => [guard],
    })
    const outcome = await session.send('go')
    expect(outcome).toMatchObject({ type: 'halted', guard: 'no-way', text: 'I stopped before I began.' })
    expect(ran).toBe(0)
    expect(findUnpairedCalls(session.messages)).toEqual([])
    expect(session.messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'assistant',
    ])
  })

  it('continues after a question that failed', async () => {
    const model = new ScriptedModel(calls('ask_user'), says('Never mind.'))
    const ask = stubTool('ask_user', () => fail('no screen'), { endsTurn: true })
    expect(await runStateless({ safety: ALLOW_ALL, model, tools: [ask], input: 'go' })).toMatchObject({
      type: 'done',
    })
  })
})

describe('a model with too many or invalid calls', () => {
  it('gets a result for each of two hundred calls, and eighty of them run', async () => {
    let ran = 0
    const session = createSession({
      safety: ALLOW_ALL,
      model: new ScriptedModel(callsMany(many('look', 200)), says('Enough.')),
      tools: [stubTool('look', () => ++ran)],
    })
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Enough.' })
    expect(ran).toBe(80)
    expect(resultsOf(session)).toHaveLength(200)
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('gets the list of tools for an unknown tool, and can continue', async () => {
    const model = new ScriptedModel(calls('lok'), calls('look'), says('Found.'))
    const outcome = await runStateless({ safety: ALLOW_ALL, model, tools: [stubTool('look')], input: 'go' })
    expect(outcome).toMatchObject({ type: 'done', text: 'Found.' })
    expect(textOf(model.request(1).messages.at(-1)!)).toContain('Available: look.')
  })

  it('gets the problem for arguments that are not JSON, and nothing runs', async () => {
    let ran = 0
    const events = recordEvents()
    const model = new ScriptedModel(malformedCall('send', '{"to": "ada", '), calls('send'), says('Sent.'))
    const outcome = await runStateless({
      safety: ALLOW_ALL,
      model,
      tools: [stubTool('send', () => ++ran)],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(outcome).toMatchObject({ type: 'done', text: 'Sent.' })
    expect(ran).toBe(1)
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'invalid_input' } })
  })

  it('sees the text of a failed call, never the error behind it', async () => {
    const model = new ScriptedModel(calls('look'), says('ok'))
    const tool = stubTool('look', () => Promise.reject(new Error('no such room')))
    await runStateless({ safety: ALLOW_ALL, model, tools: [tool], input: 'go' })
    const result = textOf(model.request(1).messages.at(-1)!)
    expect(result).toBe('Error: no such room')
  })
})
