import { describe, expect, it } from 'vitest'
import { createIdenticalFailingCallGuard } from '../../guards/rules/identical-failing-call.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import { calls, empty, fails, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import { createSession } from '../session/session.ts'
import { runStateless } from '../stateless-loop.ts'
import { agent, delegate, resultsIn } from './delegation.fixture.ts'

describe('the status of a sub-agent', () => {
  const looping = (times: number) => Array.from({ length: times }, (_, n) => calls('look', { n }))
  const tools = [stubTool('look')]

  it('is incomplete at its cap, never success, and the sub-agent can be continued', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(
      delegate('scout'),
      ...looping(2),
      says('Looked twice.'),
      says('Not done.'),
    )
    await runStateless({
      model,
      tools,
      agents: [agent('scout', { maxIterations: 2 })],
      input: 'go',
      onEvent: events.onEvent,
    })
    const [result] = resultsIn(model.request(4))
    expect(result).toMatch(/^Error: The agent "scout" did NOT finish\./)
    expect(result).toContain('Looked twice.')
    expect(result).toContain('continue_agent with agent "scout_1"')
    const end = events.of('tool-end').at(-1)!
    expect(end).toMatchObject({ tool: 'delegate_to_scout', ok: false, failure: { category: 'needs_user' } })
  })

  it('is incomplete when a guard halted it, never success', async () => {
    const model = new ScriptedModel(
      delegate('scout'),
      ...Array.from({ length: 3 }, () => calls('broken')),
      says('Not done.'),
    )
    const broken = stubTool('broken', () => fail('no such page', { httpStatus: 404 }))
    await runStateless({
      model,
      tools: [broken],
      agents: [agent('scout')],
      guards: () => [createIdenticalFailingCallGuard()],
      input: 'go',
    })
    expect(resultsIn(model.request(4))[0]).toMatch(/^Error: The agent "scout" did NOT finish\./)
  })

  it('is failed, with the failure class, when its model call fails', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(delegate('scout'), fails(401), says('It failed.'))
    const guards = () => []
    await runStateless({ model, agents: [agent('scout')], guards, input: 'go', onEvent: events.onEvent })
    expect(resultsIn(model.request(2))[0]).toContain('Do not claim success')
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'bad_credentials' } })
  })

  it('is failed when its reply is empty', async () => {
    const model = new ScriptedModel(delegate('scout'), empty(), empty(), says('It said nothing.'))
    await runStateless({ model, agents: [agent('scout')], input: 'go' })
    expect(resultsIn(model.request(3))[0]).toMatch(/^Error: The agent "scout" failed/)
  })

  const asking = agent('scout')
  const ask = stubTool('ask_user', ({ question }: { question: string }) => question, { endsTurn: true })

  it('is awaiting-user when it asks: the question is relayed, and the answer continues the same child', async () => {
    const nameOf = (request: ModelRequest) => /with agent "([^"]+)"/.exec(resultsIn(request).at(-1)!)![1]!
    let waiting = ''
    const model = new ScriptedModel(
      delegate('scout', 'Write to Ada.'),
      calls('ask_user', { question: 'Which Ada?' }),
      (request) => {
        waiting = nameOf(request)
        return says('Which Ada do you mean?')
      },
      () => calls('continue_agent', { agent: waiting, message: 'Ada Lovelace.' }),
      says('Written.'),
      says('Done.'),
    )
    const session = createSession({ model, tools: [ask], agents: [asking] })
    expect(await session.send('Tell Ada.')).toMatchObject({ type: 'done', text: 'Which Ada do you mean?' })
    const relayed = resultsIn(model.request(2)).at(-1)!
    expect(relayed).toContain('Its question: Which Ada?')
    expect(relayed).toContain('do not delegate again')
    expect(await session.send('Lovelace.')).toMatchObject({ type: 'done', text: 'Done.' })
    const resumed = model.request(4).messages
    expect(resumed.slice(0, 3)).toEqual(model.request(1).messages.concat(resumed.slice(1, 3)))
    expect(resumed.map(textOf)).toEqual(['Write to Ada.', '', 'Which Ada?', 'Ada Lovelace.'])
    expect(resultsIn(model.request(5)).at(-1)).toBe('Written.')
  })

  it('is not changed by continue_agent with an unknown name', async () => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('continue_agent', { agent: 'scout_7', message: 'hm' }), says('ok'))
    await runStateless({ model, agents: [asking], input: 'go', onEvent: events.onEvent })
    expect(events.of('tool-end')[0]).toMatchObject({ ok: false, failure: { class: 'not_found' } })
  })

  it('is awaiting-user for a parent whose own child waits, and both continue', async () => {
    const nameOf = (request: ModelRequest) => /with agent "([^"]+)"/.exec(resultsIn(request).at(-1)!)![1]!
    let upper = ''
    let lower = ''
    const model = new ScriptedModel(
      delegate('middle'), // boss
      delegate('scout'), // middle
      calls('ask_user', { question: 'Which Ada?' }), // scout
      (request) => {
        lower = nameOf(request)
        return calls('ask_user', { question: 'Which Ada?' }) // middle relays
      },
      (request) => {
        upper = nameOf(request)
        return says('Which Ada?') // boss relays
      },
      () => calls('continue_agent', { agent: upper, message: 'Lovelace.' }), // boss
      () => calls('continue_agent', { agent: lower, message: 'Lovelace.' }), // middle
      says('Scout is done.'),
      says('Middle is done.'),
      says('Boss is done.'),
    )
    const session = createSession({ model, tools: [ask], agents: [agent('middle', { agents: [asking] })] })
    await session.send('go')
    expect(await session.send('Lovelace')).toMatchObject({ type: 'done', text: 'Boss is done.' })
    expect(resultsIn(model.request(8)).at(-1)).toBe('Scout is done.')
  })
})
