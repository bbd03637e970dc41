import { describe, expect, it } from 'vitest'
import { createBuiltInAgents } from '../../agents/built-in-agents.ts'
import type { ModelRequest } from '../../models/model-client.ts'
import type { Step } from '../../testing/index.ts'
import {
  calls,
  callsMany,
  fails,
  findUnpairedCalls,
  finish,
  handMadeModel,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
  text,
} from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { createSession } from '../session/session.ts'
import { runStateless } from '../stateless-loop.ts'
import { agent, resultsIn } from './delegation.fixture.ts'

const tools = [stubTool('web_fetch')]
const taskOf = ({ messages }: ModelRequest) => textOf(messages[0]!)

/** One reply with several delegations, whose children answer when the test releases them. */
function crowd(asked: readonly { readonly tool: string; readonly prompt: string }[]) {
  const started: string[] = []
  const finishers = new Map<string, () => void>()
  let watching = Promise.withResolvers<void>()
  let hasAsked = false
  const model = handMadeModel(async function* (request) {
    if (request.system.startsWith('You lead.')) {
      if (hasAsked) yield text(resultsIn(request).join(' | '))
      else {
        hasAsked = true
        for (const [n, { tool, prompt }] of asked.entries()) {
          yield { type: 'call', id: `c${n}`, tool, argumentsText: JSON.stringify({ prompt }) }
        }
      }
    } else {
      const task = taskOf(request)
      started.push(task)
      const done = Promise.withResolvers<void>()
      finishers.set(task, done.resolve)
      watching.resolve()
      await done.promise
      yield text(`answer to ${task}`)
    }
    yield finish
  })
  /** Settles when this many children have started. */
  const begun = async (count: number) => {
    while (started.length < count) {
      await watching.promise
      watching = Promise.withResolvers<void>()
    }
  }
  return { model, started, begun, answer: (task: string) => finishers.get(task)!() }
}

describe('read-only children of one reply', () => {
  const asked = ['a', 'b', 'c', 'd', 'e', 'f'].map((prompt, n) => ({
    tool: n % 2 === 0 ? 'delegate_to_researcher' : 'delegate_to_critic',
    prompt,
  }))

  it('run in parallel, also of different agents; a fifth starts when one of four has ended', async () => {
    const { model, started, begun, answer } = crowd(asked)
    const turn = runStateless({
      model,
      instructions: 'You lead.',
      tools,
      agents: createBuiltInAgents({ tools }),
      input: 'go',
    })
    await begun(4)
    expect(started).toEqual(['a', 'b', 'c', 'd'])
    answer('c')
    await begun(5)
    expect(started).toEqual(['a', 'b', 'c', 'd', 'e'])
    answer('e')
    await begun(6)
    for (const task of ['f', 'd', 'b', 'a']) answer(task)
    // In the order of the calls, not of the answers.
    expect((await turn).text).toBe(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((task) => `answer to ${task}`).join(' | '),
    )
  })

  it('fail independently, each under its own call', async () => {
    const by: Record<string, Step> = { a: says('A.'), b: fails(400), c: says('C.') }
    const child: Step = (request) => by[taskOf(request)]!
    const lead: Step = callsMany(
      ['a', 'b', 'c'].map((prompt) => ({ tool: 'delegate_to_researcher', args: { prompt } })),
    )
    const model = new ScriptedModel(lead, child, child, child, says('Two of three.'))
    const events = recordEvents()
    const session = createSession({
      model,
      tools,
      agents: createBuiltInAgents({ tools }),
      onEvent: events.onEvent,
    })
    await session.send('go')
    const results = resultsIn(model.request(4))
    expect(results[0]).toBe('A.')
    expect(results[1]).toMatch(/^Error: The agent "researcher" failed and its work is not done\./)
    expect(results[2]).toBe('C.')
    expect(events.of('tool-end').filter(({ ok }) => !ok)).toHaveLength(1)
    expect(findUnpairedCalls(session.messages)).toEqual([])
  })

  it('can wait at the same time, each under its own name, and continue in any order', async () => {
    const ask = stubTool('ask_user', ({ question }: { question: string }) => question, { endsTurn: true })
    const asks: Step = (request) => calls('ask_user', { question: `Which ${taskOf(request)}?` })
    const model = new ScriptedModel(
      callsMany(['red', 'blue'].map((prompt) => ({ tool: 'delegate_to_scout', args: { prompt } }))),
      asks,
      asks,
      says('Two questions.'),
      calls('continue_agent', { agent: 'scout_2', message: 'navy' }),
      (request) => says(`${taskOf(request)} is navy`),
      calls('continue_agent', { agent: 'scout_1', message: 'rose' }),
      (request) => says(`${taskOf(request)} is rose`),
      says('Done.'),
    )
    const session = createSession({
      model,
      tools: [ask],
      agents: [agent('scout', { effectCeiling: 'read' })],
    })
    await session.send('go')
    const waiting = resultsIn(model.request(3))
    expect(waiting[0]).toMatch(/agent "scout_1"\.\nIts question: Which red\?$/)
    expect(waiting[1]).toMatch(/agent "scout_2"\.\nIts question: Which blue\?$/)
    expect(await session.send('navy and rose')).toMatchObject({ type: 'done', text: 'Done.' })
    expect(resultsIn(model.request(8)).slice(-2)).toEqual(['blue is navy', 'red is rose'])
  })
})

describe('the result of a child for its parent', () => {
  const ask = stubTool('ask_user', () => 'All of it is done, is it?', { endsTurn: true })
  const look = stubTool('look')
  const CLAIM = 'Everything was done successfully.'

  it.each<[string, readonly Step[], boolean, RegExp]>([
    ['completed', [says(CLAIM)], true, /^Everything was done successfully\.$/],
    [
      'awaiting-user',
      [calls('ask_user', {}, { text: CLAIM })],
      true,
      /^The agent "scout" waits for an answer.*not done yet/,
    ],
    [
      'incomplete',
      [calls('look', { n: 1 }), calls('look', { n: 2 }), says(CLAIM)],
      false,
      /^Error: The agent "scout" did NOT finish\. Do not report this as done\./,
    ],
    [
      'failed',
      [calls('look', {}, { text: CLAIM }), fails(401)],
      false,
      /^Error: The agent "scout" failed and its work is not done\./,
    ],
  ])('starts with its real status, whatever the child claims: %s', async (_status, steps, ok, expected) => {
    const events = recordEvents()
    const model = new ScriptedModel(calls('delegate_to_scout', { prompt: 'x' }), ...steps, says('I see.'))
    await runStateless({
      model,
      tools: [ask, look],
      agents: [agent('scout', { maxIterations: 2 })],
      guards: () => [],
      input: 'go',
      onEvent: events.onEvent,
    })
    expect(resultsIn(model.request(steps.length + 1)).at(-1)).toMatch(expected)
    expect(events.of('tool-end').at(-1)).toMatchObject({ tool: 'delegate_to_scout', ok })
  })

  it('offers a continuation once', async () => {
    const events = recordEvents()
    const goOn = calls('continue_agent', { agent: 'scout_1', message: 'yes' })
    const model = new ScriptedModel(
      calls('delegate_to_scout', { prompt: 'x' }),
      calls('look', { n: 1 }),
      says('Looked once.'), // at its cap
      goOn,
      says('Looked again.'),
      goOn,
      says('Done.'),
    )
    await runStateless({
      model,
      tools: [look],
      agents: [agent('scout', { maxIterations: 1 })],
      input: 'go',
      onEvent: events.onEvent,
    })
    const ends = events.of('tool-end').filter(({ tool }) => tool === 'continue_agent')
    expect(ends.map(({ ok, failure }) => [ok, failure?.class])).toEqual([
      [true, undefined],
      [false, 'not_found'],
    ])
    expect(resultsIn(model.request(5)).at(-1)).toBe('Looked again.')
  })
})
