import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '@capstan/protocol'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import type { SessionOptions } from '../../entry-points/session/session.ts'
import { createSession } from '../../entry-points/session/session.ts'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import type { ToolSource } from '../../seams/seams.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import type { Step } from '../../testing/index.ts'
import {
  calls,
  callsMany,
  malformedCall,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../../testing/index.ts'
import { createAskUserTool } from '../../tools/ask-user.ts'
import { textOf } from '../../turn/message/message.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { TestedDialect } from './in-dialect.fixture.ts'
import { DIALECTS, inDialect } from './in-dialect.fixture.ts'

const PLACE = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
const MAIL = {
  type: 'object',
  properties: { to: { type: 'string' }, text: { type: 'string' }, tags: { type: 'array' } },
  required: ['to', 'text'],
}

function createWorld() {
  const sent: unknown[] = []
  const tools = [
    stubTool('weather', (args) => `rain ${JSON.stringify(args)}`, { input: PLACE, returns: [] }),
    stubTool('broken', () => fail('no such page', { httpStatus: 404 }), { input: PLACE, returns: [] }),
    stubTool('send', (args) => (sent.push(args), 'sent'), { input: MAIL, effect: 'write', returns: [] }),
    createAskUserTool(),
  ]
  return { sent, tools }
}

interface Scenario {
  readonly steps: readonly Step[]
  readonly options?: Partial<SessionOptions>
  readonly answer?: 'allow-once' | 'deny'
}

const helper: AgentDefinition = { id: 'helper', description: 'Helps.', instructions: 'Help.' }
const OSLO = calls('weather', { place: 'Oslo' })
const MAIL_ADA = calls('send', { to: 'ada', text: 'a|b] \\ "c"\nd' })
const forever = (step: Step): readonly Step[] => Array.from({ length: 12 }, () => step)

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  'one call': { steps: [OSLO, says('Rain.')] },
  'words before a call': {
    steps: [calls('weather', { place: 'Oslo' }, { text: 'Let me look.' }), says('Rain.')],
  },
  'several calls in one reply': {
    steps: [
      callsMany([
        { tool: 'weather', args: { place: 'Oslo' } },
        { tool: 'send', args: { to: 'ada', text: 'rain' } },
        { tool: 'weather', args: { place: 'Rome' } },
      ]),
      says('Done.'),
    ],
  },
  'values that need care': { steps: [MAIL_ADA, says('Sent.')] },
  'a list in the arguments': {
    steps: [calls('send', { to: 'ada', text: 'x', tags: ['a', { b: 1 }] }), says('Sent.')],
  },
  'a missing argument': { steps: [calls('weather', {}), OSLO, says('Rain.')] },
  'an unknown tool': { steps: [calls('no_such_tool', { a: 1 }), says('Sorry.')] },
  'arguments that cannot be read': { steps: [malformedCall('weather', '{"place": '), OSLO, says('Rain.')] },
  'two objects run together': {
    steps: [malformedCall('weather', '{"place":"Oslo"}{"place":"Rome"}'), says('Sorry.')],
  },
  'a failing call that repeats': { steps: forever(calls('broken', { place: 'x' })) },
  'an answer that repeats': { steps: forever(OSLO) },
  'a write that repeats': { steps: [MAIL_ADA, MAIL_ADA, says('Sent once.')] },
  'an approval with yes': {
    steps: [MAIL_ADA, says('Sent.')],
    options: { safety: { mode: 'supervised' } },
    answer: 'allow-once',
  },
  'an approval with no': {
    steps: [MAIL_ADA, says('Not sent.')],
    options: { safety: { mode: 'supervised' } },
    answer: 'deny',
  },
  'a read-only mode': { steps: [MAIL_ADA, says('No.')], options: { safety: { mode: 'read-only' } } },
  'a question to the user': { steps: [calls('ask_user', { question: 'Which city?' })] },
  'the iteration cap': {
    steps: [OSLO, calls('weather', { place: 'Rome' }), says('So far: rain.')],
    options: { limits: { maxIterations: 2 } },
  },
  'a sub-agent': {
    steps: [calls('delegate_to_helper', { prompt: 'Look.' }), OSLO, says('It rains.'), says('Rain.')],
    options: { agents: [helper] },
  },
}

/** What people and the ledger see of a run, without what differs by chance. */
function essenceOf(event: TurnEvent): unknown {
  if (event.type === 'tool-start') return [event.type, event.tool]
  if (event.type === 'tool-end') return [event.type, event.tool, event.ok, event.failure?.class]
  if (event.type === 'guard-nudge') return [event.type, event.guard]
  if (event.type === 'approval-request') return [event.type, event.tool, event.arguments]
  return event.type === 'approval-answer' ? [event.type, event.decision] : undefined
}

async function play({ steps, options = {}, answer }: Scenario, dialect: TestedDialect) {
  const { sent, tools } = createWorld()
  const approvals = createMemoryApprovals()
  const events = recordEvents()
  const model = new ScriptedModel(...steps.map((step) => inDialect(step, dialect, tools)))
  const onEvent = (event: TurnEvent) => {
    events.onEvent(event)
    if (event.type === 'approval-request' && answer) approvals.answer(event.approvalId, answer)
  }
  const session = createSession({
    model,
    tools,
    dialect,
    origin: 'web',
    onEvent,
    ...options,
    safety: { mode: 'full', approvals, ...options.safety },
  })
  const outcome = await session.send('go')
  const { type, text, iterations } = outcome
  const seen = events.all.map(essenceOf).filter((one) => one !== undefined)
  return { type, text, iterations, seen, sent, requests: model.requests }
}

describe.each(Object.keys(SCENARIOS))('in every dialect the same comes of %s', (name) => {
  it.each(['xml', 'pformat'] as const)('%s', async (dialect) => {
    const native = await play(SCENARIOS[name]!, 'native')
    expect(await play(SCENARIOS[name]!, dialect)).toEqual(native)
    expect(native.seen.length).toBeGreaterThan(0)
  })
})

describe.each(DIALECTS)('tools that appear after the prompt, in %s', (dialect) => {
  const late = stubTool('weather', () => 'rain', {
    input: PLACE,
    returns: [],
    description: 'Tells the weather.',
  })

  it('are explained by a notice when there were none, and the system prompt stays', async () => {
    let surface = createSurface([])
    const source: ToolSource = { current: () => ({ surface, notices: [] }) }
    const steps = [says('Hello.'), inDialect(OSLO, dialect, [late]), says('Rain.'), says('Bye.')]
    const model = new ScriptedModel(...steps)
    const session = createSession({ model, tools: source, dialect, instructions: 'Be brief.' })
    await session.send('hello')
    surface = createSurface([late])
    expect(await session.send('weather?')).toMatchObject({ type: 'done', text: 'Rain.' })
    surface = createSurface([late])
    await session.send('bye')
    const { system, messages } = model.request(3)
    expect(system).toBe(model.request(0).system)
    const explained = messages.filter((message) => textOf(message).includes('## Calling tools'))
    expect(explained.map(({ role }) => role)).toEqual(dialect === 'native' ? [] : ['notice'])
    if (dialect !== 'native') expect(textOf(explained[0]!)).toContain('Tells the weather.')
  })

  it('of a live source are called through call_tool, which the prompt explains', async () => {
    const live = createLiveTools()
    const throughCallTool = calls('call_tool', { name: 'weather', arguments: { place: 'Oslo' } })
    const model = new ScriptedModel(says('Hello.'), inDialect(throughCallTool, dialect, []), says('Rain.'))
    const session = createSession({ model, tools: live, dialect })
    await session.send('hello')
    live.add(late)
    expect(await session.send('weather?')).toMatchObject({ type: 'done', text: 'Rain.' })
    const { system, messages } = model.request(2)
    expect(system.includes('call_tool')).toBe(dialect !== 'native')
    expect(messages.filter(({ role }) => role === 'notice')).toHaveLength(1)
  })
})
