import { describe, expect, it } from 'vitest'
import type { TurnEvent } from '@capstan/protocol'
import { createSession } from '../../entry-points/session/session.ts'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import type { ToolSource } from '../../seams/seams.ts'
import { createLiveTools } from '../../seams/tool-sources/live-tools.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { textOf } from '../../turn/message/message.ts'
import { createSurface } from '../../turn/tool/surface.ts'
import type { Scenario } from './dialect-scenarios.fixture.ts'
import { createWorld, SCENARIOS } from './dialect-scenarios.fixture.ts'
import type { TestedDialect } from './in-dialect.fixture.ts'
import { DIALECTS, inDialect } from './in-dialect.fixture.ts'

const PLACE = { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] }
const OSLO = calls('weather', { place: 'Oslo' })

/** What people and the ledger see of a run, without what differs by chance. */
function essenceOf(event: TurnEvent): unknown {
  if (event.type === 'tool-start') return [event.type, event.tool]
  if (event.type === 'tool-end') return [event.type, event.tool, event.ok, event.failure?.class]
  if (event.type === 'guard-nudge') return [event.type, event.guard]
  if (event.type === 'turn-start') return [event.type, event.agent, event.depth]
  if (event.type === 'turn-end') return [event.type, event.outcome.type]
  if (event.type === 'approval-request') return [event.type, event.tool, event.arguments]
  return event.type === 'approval-answer' ? [event.type, event.decision] : undefined
}

async function play({ steps, options = {}, answer, messages = ['go'] }: Scenario, dialect: TestedDialect) {
  const { sent, tools } = createWorld()
  const approvals = createMemoryApprovals()
  const events = recordEvents()
  const model = new ScriptedModel(...steps.map((step) => inDialect(step, dialect, [...tools, ...OF_AGENTS])))
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
  const outcomes = []
  for (const message of messages) {
    const { type, text, iterations } = await session.send(message)
    outcomes.push({ type, text, iterations })
  }
  const seen = events.all.map(essenceOf).filter((one) => one !== undefined)
  // White space around a call differs, and nobody sees it.
  const shown = events.of('text-delta').map(({ delta }) => delta)
  return { outcomes, seen, shown: shown.join('').replaceAll(/\s/g, ''), sent, requests: model.requests }
}

const text = { type: 'string' }
/** The tools that start and continue sub-agents, as far as a call of them is written. */
const OF_AGENTS = [
  { name: 'delegate_to_helper', input: { type: 'object', properties: { context: text, prompt: text } } },
  { name: 'continue_agent', input: { type: 'object', properties: { agent: text, message: text } } },
]

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
