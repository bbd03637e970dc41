import { describe, expect, it } from 'vitest'
import type { SafetyMode, ToolRule } from '../../tool-path/policy.ts'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, createTestClock, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import { createSession } from '../session/session.ts'
import { createThreads } from '../threads/threads.ts'

const WIPE = calls('wipe', { what: 'everything' })

/** A tool that changes something, and a safety mode that a person can switch while a turn runs. */
function createWorld(mode: SafetyMode = 'supervised') {
  const ran: unknown[] = []
  const tool = stubTool('wipe', (args) => (ran.push(args), 'wiped'), { effect: 'write' })
  return { ran, tool, settings: { mode } }
}

/** A session in which a person answers every question with no. */
function refuseAll(
  { tool, settings }: ReturnType<typeof createWorld>,
  steps: readonly Step[],
  agents: readonly AgentDefinition[] = [],
) {
  const approvals = createMemoryApprovals()
  return createSession({
    model: new ScriptedModel(...steps),
    tools: [tool],
    agents,
    origin: 'web',
    preface: false,
    safety: { mode: () => settings.mode, approvals },
    onEvent(event) {
      if (event.type === 'approval-request') queueMicrotask(() => approvals.answer(event.approvalId, 'deny'))
    },
  })
}

describe('a call that a person refused', () => {
  it('does not run later in the turn, when the mode was switched to full', async () => {
    const world = createWorld()
    const again = () => {
      world.settings.mode = 'full'
      return WIPE
    }
    await refuseAll(world, [WIPE, again, says('End.')]).send('go')
    expect(world.ran).toEqual([])
  })

  it('does not run in a sub-agent either, when the mode was switched to full', async () => {
    const world = createWorld()
    const helper = { id: 'helper', description: 'Helps.', instructions: 'Help.' }
    const again = () => {
      world.settings.mode = 'full'
      return WIPE
    }
    const steps = [WIPE, calls('delegate_to_helper', { prompt: 'wipe' }), again, says('a'), says('b')]
    await refuseAll(world, steps, [helper]).send('go')
    expect(world.ran).toEqual([])
  })

  it('does not run when a policy function would allow it now', async () => {
    const { ran, tool } = createWorld()
    const approvals = createMemoryApprovals()
    let consulted = 0
    const session = createSession({
      model: new ScriptedModel(WIPE, WIPE, says('End.')),
      tools: [tool],
      origin: 'web',
      preface: false,
      safety: { mode: 'supervised', approvals, policy: () => (consulted++ === 0 ? 'ask' : 'allow') },
      onEvent(event) {
        if (event.type === 'approval-request')
          queueMicrotask(() => approvals.answer(event.approvalId, 'deny'))
      },
    })
    await session.send('go')
    expect(ran).toEqual([])
  })
})

describe('a question that is open while the mode is switched to full', () => {
  /** A turn that is parked for the question; `restart` opens the threads again. */
  async function park(
    steps: readonly Step[] = [WIPE, says('End.')],
    agents: readonly AgentDefinition[] = [],
    approvalTimeoutMs?: number,
  ) {
    const { ran, tool, settings } = createWorld()
    const rules: ToolRule[] = []
    const store = createMemoryStore()
    const events = recordEvents()
    const clock = createTestClock()
    const model = new ScriptedModel(...steps)
    const safety = { mode: () => settings.mode, rules: () => rules }
    const open = () =>
      createThreads({
        store,
        clock,
        ...(approvalTimeoutMs === undefined ? undefined : { approvalTimeoutMs }),
        onEvent: events.onEvent,
        agent: { model, tools: [tool], agents, origin: 'web', preface: false, safety },
      })
    const threads = open()
    const { id } = await threads.create()
    const session = await threads.open(id)
    const [asked, parked] = [events.next('approval-request'), events.next('turn-park')]
    await session.submit('go')
    const { approvalId } = await asked
    await parked
    settings.mode = 'full'
    const answers = () => events.of('approval-answer').map(({ decision }) => decision)
    /** Settles at the end of the turn itself, not of a sub-agent. */
    const ended = async () => {
      const turn = events.of('turn-start')[0]!.runId
      while (!events.of('turn-end').some(({ runId }) => runId === turn)) await events.next('turn-end')
    }
    return { ran, rules, clock, threads, approvalId, restart: open, answers, ended }
  }

  it('is answered with no: nothing runs, and the answer is an event', async () => {
    const { ran, threads, approvalId, answers, ended } = await park()
    await threads.answer(approvalId, 'deny')
    await ended()
    expect(ran).toEqual([])
    expect(answers()).toEqual(['deny'])
  })

  it('is answered with no after a restart: nothing runs', async () => {
    const { ran, threads, approvalId, restart, answers } = await park()
    await threads.stop({ graceMs: 0 })
    const again = restart()
    await again.answer(approvalId, 'deny')
    await again.resume()
    await again.idle()
    expect(ran).toEqual([])
    expect(answers()).toEqual(['deny'])
  })

  it('is answered with no: an equivalent call later in the turn is refused too, also after a restart', async () => {
    const { ran, threads, approvalId, restart } = await park([WIPE, WIPE, says('End.')])
    await threads.stop({ graceMs: 0 })
    const again = restart()
    await again.answer(approvalId, 'deny')
    await again.resume()
    await again.idle()
    expect(ran).toEqual([])
  })

  it('expires: nothing runs, and the expiry is an event', async () => {
    const { ran, clock, ended, answers } = await park(undefined, undefined, 60_000)
    await clock.advance(61_000)
    await ended()
    expect(ran).toEqual([])
    expect(answers()).toEqual(['expired'])
  })

  it('was asked by a sub-agent and is answered with no: nothing runs', async () => {
    const helper = { id: 'helper', description: 'Helps.', instructions: 'Help.' }
    const steps = [calls('delegate_to_helper', { prompt: 'wipe' }), WIPE, says('a'), says('b')]
    const { ran, threads, approvalId, answers, ended } = await park(steps, [helper])
    await threads.answer(approvalId, 'deny')
    await ended()
    expect(ran).toEqual([])
    expect(answers()).toEqual(['deny'])
  })

  it('is answered, and a rule forbids the call meanwhile: the answer is an event all the same', async () => {
    const { ran, rules, threads, approvalId, answers, ended } = await park()
    rules.push({ tool: 'wipe', decision: 'deny' })
    await threads.answer(approvalId, 'allow-once')
    await ended()
    expect(ran).toEqual([])
    expect(answers()).toEqual(['allow-once'])
  })

  it('is answered with yes: the call runs once', async () => {
    const { ran, threads, approvalId, answers, ended } = await park()
    await threads.answer(approvalId, 'allow-once')
    await ended()
    expect(ran).toHaveLength(1)
    expect(answers()).toEqual(['allow-once'])
  })
})
