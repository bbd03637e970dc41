import { describe, expect, it, vi } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { calls, callsMany, says, stalls } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { createAskUserTool } from '../../tools/ask-user.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { textOf } from '../../turn/message/message.ts'
import { sound, start, THREAD } from './restarts.fixture.ts'

describe('a sub-agent that waited', () => {
  const clerk = { id: 'clerk', description: 'clerks', instructions: 'You file things.' }
  const ask = createAskUserTool()

  it('that waits for an answer continues in its own conversation after a restart', async () => {
    const store = createMemoryStore()
    const before = await start(
      store,
      [
        calls('delegate_to_clerk', { prompt: 'File the letter.' }, { id: 'd1' }),
        calls('ask_user', { question: 'Under which letter?' }, { id: 'q1' }),
        says('It asks: under which letter?'),
      ],
      { agents: [clerk], tools: [ask] },
    )
    expect(await before.session.send('File it.')).toMatchObject({ type: 'done' })
    before.kill()

    const next = await start(
      store,
      [
        calls('continue_agent', { agent: 'clerk_1', message: 'Under K.' }, { id: 'd2' }),
        says('It is filed under K.'),
        says('Filed.'),
      ],
      { agents: [clerk], tools: [ask] },
    )
    expect(await next.threads.resume()).toEqual({ running: 0, waiting: 0 })
    expect(await next.session.send('Under K.')).toMatchObject({ type: 'done', text: 'Filed.' })
    const child = next.model.request(1)
    expect(child.system).toBe(before.model.request(1).system)
    expect(child.messages.map(textOf)).toEqual(['File the letter.', '', 'Under which letter?', 'Under K.'])
    expect(await sound(store)).toEqual([])
  })

  it('that reached its cap can be continued once after a restart, by its name only', async () => {
    const store = createMemoryStore()
    const short = { ...clerk, maxIterations: 1 }
    const look = stubTool('look', () => 'a drawer')
    const before = await start(
      store,
      [
        calls('delegate_to_clerk', { prompt: 'File it all.' }, { id: 'd1' }),
        calls('look', { n: 1 }, { id: 'l1' }),
        says('I have looked once.'),
        says('It did not finish.'),
      ],
      { agents: [short], tools: [look] },
    )
    await before.session.send('File it.')
    before.kill()

    const next = await start(
      store,
      [
        callsMany([
          { tool: 'continue_agent', args: { agent: 'clerk_1', message: 'Go on.' }, id: 'd2' },
          { tool: 'continue_agent', args: { agent: 'clerk_1', message: 'Go on.' }, id: 'd3' },
          { tool: 'continue_agent', args: { agent: 'clerk_2', message: 'Go on.' }, id: 'd4' },
        ]),
        says('All filed.'),
        says('Done.'),
      ],
      { agents: [short], tools: [look] },
    )
    expect(await next.session.send('Go on.')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(next.model.request(1).messages.map(textOf)).toEqual([
      'File it all.',
      '',
      'a drawer',
      'I have looked once.',
      'Go on.',
    ])
    const results = next.events.of('tool-end').map(({ callId, ok, output }) => [callId, ok, output])
    expect(results).toEqual([
      ['d2', true, 'All filed.'],
      ['d3', false, expect.stringContaining('No agent waits as "clerk_1"')],
      ['d4', false, expect.stringContaining('No agent waits as "clerk_2"')],
    ])
    expect(await sound(store)).toEqual([])
  })

  it('that was killed while it continued is resumed from there', async () => {
    const store = createMemoryStore()
    const options = { agents: [clerk], tools: [ask, stubTool('look', () => 'a drawer')] }
    const before = await start(
      store,
      [
        calls('delegate_to_clerk', { prompt: 'File it.' }, { id: 'd1' }),
        calls('ask_user', { question: 'Where?' }, { id: 'q1' }),
        says('Where?'),
        calls('continue_agent', { agent: 'clerk_1', message: 'There.' }, { id: 'd2' }),
        calls('look', {}, { id: 'l1' }),
        stalls(),
      ],
      options,
    )
    await before.session.send('File it.')
    const ended = before.events.next('tool-end')
    void before.session.send('There.').catch(() => {})
    expect((await ended).callId).toBe('l1')
    await recorded(store, 'l1')
    before.kill()

    const next = await start(store, [says('Filed there.'), says('Done.')], options)
    expect(await next.threads.resume()).toEqual({ running: 1, waiting: 0 })
    await next.threads.idle()
    expect(next.model.request(0).messages.map(textOf)).toEqual([
      'File it.',
      '',
      'Where?',
      'There.',
      '',
      'a drawer',
    ])
    expect(next.events.of('turn-end').at(-1)?.outcome).toMatchObject({ type: 'done', text: 'Done.' })
    expect(await sound(store)).toEqual([])
  })
})

/** Waits until the result of a call is in the ledger. */
const recorded = (store: Store, callId: string) =>
  vi.waitFor(async () => {
    const records = await store.ledger.read(THREAD)
    const results = records.flatMap((record) => (record.type === 'call-result' ? [record.result.callId] : []))
    expect(results).toContain(callId)
  })

describe('a sub-agent whose app is away when it is continued', () => {
  /** An agent that works in an app. `app.isAway` takes the app from it. */
  function inApp() {
    const app = { isAway: false }
    const tools = [createAskUserTool(), stubTool('look', () => 'a drawer')]
    const filer: AgentDefinition = {
      id: 'filer',
      description: 'files',
      instructions: 'You file things.',
      setup: {
        input: { type: 'object', properties: { prompt: { type: 'string' } }, required: ['prompt'] },
        prepare: async () => (app.isAway ? { refusal: fail('Notes is away.') } : { tools }),
      },
    }
    return { app, agents: [filer] }
  }
  const ASKED = [
    calls('delegate_to_filer', { prompt: 'File it.' }, { id: 'd1' }),
    calls('ask_user', { question: 'Where?' }, { id: 'q1' }),
    says('Where?'),
  ]
  const goOn = (id: string) => calls('continue_agent', { agent: 'filer_1', message: 'There.' }, { id })

  it('keeps waiting after a restart, and its parent reads why and can continue it later', async () => {
    const store = createMemoryStore()
    const { app, agents } = inApp()
    const before = await start(store, ASKED, { agents })
    await before.session.send('File it.')
    before.kill()

    app.isAway = true
    const back = () => {
      app.isAway = false
      return says('It is away.')
    }
    const steps = [goOn('d2'), back, goOn('d3'), says('Filed.'), says('Done.')]
    const next = await start(store, steps, { agents })
    expect(await next.session.send('There.')).toMatchObject({ text: 'It is away.' })
    expect(await next.session.send('Again.')).toMatchObject({ text: 'Done.' })
    expect(next.events.of('tool-end').map(({ callId, ok, output }) => [callId, ok, output])).toEqual([
      ['d2', false, 'Error: Notes is away. The agent still waits as "filer_1".'],
      ['d3', true, 'Filed.'],
    ])
    expect(next.model.request(3).tools.map(({ name }) => name)).toEqual(['ask_user', 'look'])
    expect(await sound(store)).toEqual([])
  })

  it('ends with what it did when it was interrupted after it was continued', async () => {
    const store = createMemoryStore()
    const { app, agents } = inApp()
    const before = await start(store, [...ASKED, goOn('d2'), calls('look', {}, { id: 'l1' }), stalls()], {
      agents,
    })
    await before.session.send('File it.')
    const ended = before.events.next('tool-end')
    void before.session.send('There.').catch(() => {})
    expect((await ended).callId).toBe('l1')
    await recorded(store, 'l1')
    before.kill()

    app.isAway = true
    const next = await start(store, [says('It is away.')], { agents })
    await next.threads.resume()
    await next.threads.idle()
    expect(next.events.of('tool-end').map(({ callId, ok, output }) => [callId, ok, output])).toEqual([
      ['d2', false, expect.stringContaining('It could not go on: Notes is away.')],
    ])
    expect(next.model.requests).toBe(1)
    expect(await sound(store)).toEqual([])
  })
})
