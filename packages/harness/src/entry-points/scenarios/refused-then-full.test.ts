import { describe, expect, it } from 'vitest'
import type { SafetyMode } from '../../tool-path/policy.ts'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import { createMemoryStore } from '../../ports/memory/memory-store.ts'
import { calls, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
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
  async function park() {
    const { ran, tool, settings } = createWorld()
    const store = createMemoryStore()
    const events = recordEvents()
    const model = new ScriptedModel(WIPE, says('End.'))
    const open = () =>
      createThreads({
        store,
        onEvent: events.onEvent,
        agent: { model, tools: [tool], origin: 'web', preface: false, safety: { mode: () => settings.mode } },
      })
    const threads = open()
    const { id } = await threads.create()
    const session = await threads.open(id)
    const [asked, parked] = [events.next('approval-request'), events.next('turn-park')]
    await session.submit('go')
    const { approvalId } = await asked
    await parked
    return { ran, settings, events, threads, approvalId, restart: open }
  }

  it('is answered with no: nothing runs', async () => {
    const { ran, settings, events, threads, approvalId } = await park()
    const ended = events.next('turn-end')
    settings.mode = 'full'
    await threads.answer(approvalId, 'deny')
    await ended
    expect(ran).toEqual([])
  })

  it('is answered with no after a restart: nothing runs', async () => {
    const { ran, settings, events, threads, approvalId, restart } = await park()
    await threads.stop({ graceMs: 0 })
    const ended = events.next('turn-end')
    settings.mode = 'full'
    const again = restart()
    await again.answer(approvalId, 'deny')
    await again.resume()
    await ended
    expect(ran).toEqual([])
  })
})
