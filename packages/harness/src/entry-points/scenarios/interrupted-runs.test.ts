import { describe, expect, it } from 'vitest'
import type { ThreadId, TurnEvent, TurnOutcome } from '@capstan/protocol'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { TraceStep } from '../../guards/replay-trace.ts'
import { ALL_TRACES } from '../../guards/traces/all-traces.ts'
import type { LabelledTrace } from '../../guards/traces/trace.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import type { Store } from '../../ports/store.ts'
import { checkInvariants } from '../../testing/check-invariants.ts'
import { handMadeModel, text } from '../../testing/hand-made-model.ts'
import { SCRIPTED_USAGE } from '../../testing/scripted-model.ts'
import { stubTool } from '../../testing/stub-tool.ts'
import { callsOf } from '../../turn/message/message.ts'
import { fail } from '../../turn/tool/tool-outcome.ts'
import type { Tool } from '../../turn/tool/tool.ts'
import type { AgentOptions } from '../agent-options.ts'
import { killAfterCommit } from './killable-store.fixture.ts'
import { createThreads } from '../threads/threads.ts'

const THREAD = 'thread_1' as ThreadId
/** More commits than any of these turns makes. */
const MOST_COMMITS = 300

/** The outcome of a turn, and its guards' nudges. */
interface TurnResult {
  readonly outcome: TurnOutcome | undefined
  readonly nudges: readonly string[]
  readonly breaks: readonly string[]
}

const start = (store: Store, agent: AgentOptions) =>
  createThreads({ store, agent, onProblem: (error) => expect.unreachable(String(error)) })

/** Runs a turn whose process is killed after its n-th commit. A second process finishes it. */
async function runWithKill(
  agent: AgentOptions,
  n?: number,
): Promise<TurnResult & { readonly wasKilled: boolean }> {
  const inner = createMemoryStore()
  const first = killAfterCommit(inner, n)
  const threads = start(first.store, agent)
  await threads.create({ id: THREAD })
  const session = await threads.open(THREAD)
  await Promise.race([session.send('Do it.'), first.killed])
  if (first.isKilled) {
    const second = start(inner, agent)
    await second.resume()
    await second.idle()
  }
  const [run] = await inner.runs.list({ userId: 'local', depth: 0 })
  const events = await inner.ledger.readEvents(THREAD, 0)
  return {
    outcome: run?.outcome && withoutToken(run.outcome),
    nudges: events.flatMap(toNudge),
    breaks: await checkInvariants(inner, [THREAD]),
    wasKilled: first.isKilled,
  }
}

/** The resume token is different each time. */
const withoutToken = (outcome: TurnOutcome): TurnOutcome =>
  outcome.type === 'capped' ? { ...outcome, resumeToken: 'a token' } : outcome

const toNudge = (event: TurnEvent): readonly string[] =>
  event.type === 'guard-nudge' ? [`${event.iteration} ${event.guard}: ${event.text}`] : []

/** Compares an uninterrupted turn with the same turn killed after each of its commits. */
async function expectTheSameAfterEveryKill(name: string, agent: () => AgentOptions): Promise<TurnOutcome> {
  const { outcome, nudges, breaks } = await runWithKill(agent())
  expect(breaks, name).toEqual([])
  let n = 1
  for (; n < MOST_COMMITS; n++) {
    const { wasKilled, ...result } = await runWithKill(agent(), n)
    if (!wasKilled) break
    expect(result, `${name}, killed after commit ${n}`).toEqual({ outcome, nudges, breaks: [] })
  }
  expect(n, name).toBeGreaterThan(5)
  return outcome!
}

/** A model and tools that replay a trace step by step. */
function agentOf({ steps }: LabelledTrace): AgentOptions {
  const model = handMadeModel(async function* ({ messages }) {
    const n = messages.filter((message) => message.role === 'assistant' && callsOf(message).length > 0).length
    const step = steps[n]
    if (!step) return yield { type: 'text', delta: 'Done.' }
    if (step.text !== '') yield text(step.text)
    for (const [index, { tool, args }] of step.calls.entries())
      yield { type: 'call', id: `${n}-${index}`, tool, argumentsText: JSON.stringify(args) }
    yield { type: 'finish', reason: 'tool-calls', usage: SCRIPTED_USAGE }
  })
  const tools = new Map<string, Tool>()
  for (const { calls } of steps) {
    for (const { tool: name, polls = false, effect = 'write' } of calls) {
      // A call that runs again after a kill gives the same result.
      const run: Tool['run'] = (_, { callId }) => answerOf(steps, callId)
      tools.set(name, stubTool(name, run, { polls, effect, honoursKey: true, returns: [] }))
    }
  }
  return {
    model,
    tools: [...tools.values()],
    origin: 'web',
    safety: { mode: 'full', compaction: 'off' },
    limits: { maxIterations: 60 },
  }
}

function answerOf(steps: readonly TraceStep[], callId: string): unknown {
  const [step, index] = callId.split('-').map(Number)
  const result = steps[step!]!.results[index!]!
  if (result.ok) return result.text
  const failureClass = (result.class ?? 'unknown') as keyof typeof FAILURE_CATEGORIES
  const category = FAILURE_CATEGORIES[failureClass]
  const recoverable = category === 'transient'
  return fail(result.text, {
    failure: { class: failureClass, category, cause: result.text, next: '', recoverable },
  })
}

describe('the loop guards of a turn killed after any commit', () => {
  const traces = ALL_TRACES.filter(({ kind }) => kind === 'looping').filter((_, index) => index % 5 === 0)

  it.each(traces.map((trace) => [trace.id, trace] as const))(
    'give the same verdict in the same iteration: %s',
    async (id, trace) => {
      const outcome = await expectTheSameAfterEveryKill(id, () => agentOf(trace))
      expect(outcome.type).toBe('halted')
    },
  )
})

describe('the budget of a turn killed after any commit', () => {
  /** An agent that looks at a new page each time and never ends. */
  function endless(more: Partial<AgentOptions>): AgentOptions {
    const model = handMadeModel(async function* ({ messages, tools }) {
      const n = messages.length
      if (tools.length === 0) yield text('This far and no further.')
      else yield { type: 'call', id: `call_${n}`, tool: 'look', argumentsText: `{"page":${n}}` }
      yield { type: 'finish', reason: 'stop', usage: { ...SCRIPTED_USAGE, chargedUsd: 0.01 } }
    })
    const tools = [stubTool('look', (page) => `This is ${JSON.stringify(page)}.`)]
    return { model, tools, origin: 'web', ...more }
  }

  it.each([
    ['iterations', { budget: { iterations: 4 }, limits: { maxIterations: 50 } }],
    ['tokens', { budget: { tokens: 61 }, limits: { maxIterations: 50 } }],
    ['usd', { budget: { usd: 0.042 }, limits: { maxIterations: 50 } }],
    ['iterations', { limits: { maxIterations: 4 } }],
  ] as const)('is capped by %s at the same place (%j)', async (kind, more) => {
    const outcome = await expectTheSameAfterEveryKill(kind, () => endless(more))
    expect(outcome).toMatchObject({ type: 'capped', cap: { kind } })
  })

  it('keeps the remaining shares of a sub-agent and of its parent', async () => {
    const model = handMadeModel(async function* ({ system, messages, tools }) {
      const n = messages.length
      const isHelper = system.startsWith('Help.')
      if (tools.length === 0 && !isHelper) yield text('This far and no further.')
      else if (n > 3 && isHelper) yield text(`Helped with ${n}.`)
      else {
        const tool = isHelper ? 'look' : 'delegate_to_helper'
        const args = isHelper ? { n } : { prompt: `${n}` }
        yield { type: 'call', id: `call_${n}`, tool, argumentsText: JSON.stringify(args) }
      }
      yield { type: 'finish', reason: 'stop', usage: SCRIPTED_USAGE }
    })
    const tools = [stubTool('look', (args) => `This is ${JSON.stringify(args)}.`)]
    const agents = [{ id: 'helper', description: 'helps', instructions: 'Help.' }]
    const limits = { maxIterations: 50 }
    const agent = endless({ model, tools, agents, limits, budget: { iterations: 9 } })
    const outcome = await expectTheSameAfterEveryKill('shares', () => agent)
    expect(outcome).toMatchObject({ type: 'capped', cap: { kind: 'iterations' } })
  })
})
