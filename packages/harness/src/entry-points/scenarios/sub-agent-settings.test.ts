import { describe, expect, it } from 'vitest'
import { createBuiltInAgents } from '../../agents/built-in-agents.ts'
import { ConfigurationError } from '../../turn/errors.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { createAskUserTool } from '../../tools/ask-user.ts'
import { createSession } from '../session/session.ts'
import { runSubAgent } from '../sub-agent.ts'
import { agent, delegate, resultsIn } from './delegation.fixture.ts'

const tools = [stubTool('web_fetch', ({ n }: { n: number }) => `page ${n}`)]
const fetches = (count: number) => Array.from({ length: count }, (_, n) => calls('web_fetch', { n }))

describe('settings of a sub-agent', () => {
  it('limit its iterations, also of a built-in one', async () => {
    const model = new ScriptedModel(delegate('researcher'), ...fetches(2), says('So far.'), says('Done.'))
    const session = createSession({
      model,
      tools,
      agents: createBuiltInAgents({ tools }),
      agentSettings: { researcher: { maxIterations: 2 } },
      safety: { mode: 'full' },
    })
    await session.send('go')
    expect(resultsIn(model.request(4)).at(-1)).toContain('The agent "researcher" did NOT finish.')
  })

  it('limit its time, and choose its model', async () => {
    const fast = new ScriptedModel(says('Found.'))
    const events = recordEvents()
    const session = createSession({
      model: new ScriptedModel(delegate('researcher'), says('Done.')),
      tools,
      agents: createBuiltInAgents({ tools }),
      agentSettings: { researcher: { model: 'local/fast', timeoutMs: 60_000 } },
      findModel: (name) => {
        expect(name).toBe('local/fast')
        return fast
      },
      observers: [
        {
          turnStarted({ agent: id, budget }) {
            if (id === 'researcher') expect(budget.limits.wallClockMs).toBe(60_000)
          },
        },
      ],
      onEvent: events.onEvent,
    })
    expect(await session.send('go')).toMatchObject({ type: 'done' })
    expect(fast.requests).toBe(1)
  })

  it('hold for a sub-agent that a program runs', async () => {
    const model = new ScriptedModel(...fetches(1), says('So far.'))
    const settings = { worker: { maxIterations: 1 } }
    const result = await runSubAgent(
      agent('worker'),
      { prompt: 'go' },
      { model, tools, agentSettings: settings, safety: { mode: 'full' } },
    )
    expect(result.status).toBe('incomplete')
  })

  it.each([{ maxIterations: 0 }, { timeoutMs: -1 }, { maxIterations: NaN }])(
    'are checked: %o',
    (settings) => {
      const model = new ScriptedModel()
      expect(() => createSession({ model, agentSettings: { worker: settings } })).toThrow(ConfigurationError)
    },
  )
})

describe('a model that a sub-agent names and that cannot be had', () => {
  const noKey = () => {
    throw new ConfigurationError('model', 'there is no key')
  }

  it('falls back to its parent, and the event and the report say so', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(delegate('scout'), says('Scouted.'), says('Done.'))
    const session = createSession({
      model,
      agents: [agent('scout', { model: 'nobody/has-this' })],
      findModel: noKey,
      onEvent: events.onEvent,
    })
    expect(await session.send('go')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(events.of('turn-start').map(({ missingModel }) => missingModel)).toEqual([
      undefined,
      'nobody/has-this',
    ])
    expect(resultsIn(model.request(2))[0]).toBe(
      'It ran on the model of its parent, because "nobody/has-this" cannot be had. Scouted.',
    )
  })

  it('falls back to its parent also when it is continued', async () => {
    const events = recordEvents()
    const question = calls('ask_user', { question: 'Where?' })
    const goOn = calls('continue_agent', { agent: 'scout_1', message: 'There.' })
    const model = new ScriptedModel(
      delegate('scout'),
      question,
      says('Where?'),
      goOn,
      says('Seen.'),
      says('Done.'),
    )
    const session = createSession({
      model,
      tools: [createAskUserTool()],
      agents: [agent('scout', { model: 'nobody/has-this' })],
      findModel: noKey,
      onEvent: events.onEvent,
    })
    await session.send('go')
    await session.send('There.')
    expect(events.of('turn-start').map(({ missingModel }) => missingModel)).toEqual([
      undefined,
      'nobody/has-this',
      undefined,
      'nobody/has-this',
    ])
    expect(resultsIn(model.request(5)).at(-1)).toBe(
      'It ran on the model of its parent, because "nobody/has-this" cannot be had. Seen.',
    )
  })

  it('is told also by one that a program continues', async () => {
    const model = new ScriptedModel(calls('ask_user', { question: 'Where?' }), says('Seen.'))
    const scout = agent('scout', { model: 'nobody/has-this' })
    const options = { model, tools: [createAskUserTool()], findModel: noKey }
    const first = await runSubAgent(scout, { prompt: 'go' }, options)
    expect(first).toMatchObject({ status: 'awaiting-user', missingModel: 'nobody/has-this' })
    const { continuation } = first
    const second = await runSubAgent(scout, { prompt: 'There.' }, { ...options, continuation: continuation! })
    expect(second).toMatchObject({ status: 'completed', missingModel: 'nobody/has-this' })
  })
})
