import { describe, expect, it } from 'vitest'
import type { AgentDefinition } from '../../agents/agent-definition.ts'
import { createMemoryApprovals } from '../../ports/memory/memory-approvals.ts'
import { createMemoryAuditLog } from '../../ports/memory/memory-audit-log.ts'
import { calls, createTestClock, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import type { Step } from '../../testing/index.ts'
import type { SessionOptions } from '../session/session.ts'
import { createSession } from '../session/session.ts'

const agent = (id: string, more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  id,
  description: `Works as ${id}.`,
  instructions: `You are ${id}.`,
  ...more,
})
const generations = agent('one', { agents: [agent('two', { agents: [agent('three')] })] })
const down = (id: string) => calls(`delegate_to_${id}`, { prompt: 'do it' })

/** A session with three nested sub-agents. The innermost one wants to send something. */
function open(steps: readonly Step[], more: Partial<SessionOptions> = {}) {
  const clock = createTestClock()
  const approvals = createMemoryApprovals({ clock })
  const audit = createMemoryAuditLog()
  const events = recordEvents()
  const ran: unknown[] = []
  const model = new ScriptedModel(...steps)
  const session = createSession({
    model,
    clock,
    origin: 'web',
    tools: [stubTool('send', (args) => void ran.push(args), { effect: 'write' })],
    agents: [generations],
    onEvent: events.onEvent,
    safety: { approvals, audit },
    ...more,
  })
  return { session, clock, approvals, audit, events, ran, model }
}

const DEEP = [down('one'), down('two'), down('three')]

describe('an approval for a sub-agent three levels deep', () => {
  it('reaches the listener of the turn, and the call runs once with the arguments shown', async () => {
    const { session, events, approvals, ran, audit } = open([
      ...DEEP,
      calls('send', { to: 'ada', text: 'hello' }),
      ...['sent', 'sent', 'sent', 'sent'].map((text) => says(text)),
    ])
    const asked = events.next('approval-request')
    const outcome = session.send('go')
    const request = await asked
    expect(request.threadId).toBe(session.threadId)
    expect(events.of('turn-start').find(({ runId }) => runId === request.runId)).toMatchObject({ depth: 3 })
    expect(ran).toEqual([])
    expect(approvals.answer(request.approvalId, 'allow-once')).toBe('accepted')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(ran).toEqual([request.arguments])
    expect(ran).toEqual([{ to: 'ada', text: 'hello' }])
    expect(audit.rows.filter(({ tool }) => tool === 'send')).toMatchObject([
      { agent: 'three', decision: 'approved', ok: true },
    ])
  })

  it('may take longer than the wall-clock budget of the turn', async () => {
    const { session, events, approvals, ran, clock } = open(
      [...DEEP, calls('send', {}), ...['sent', 'sent', 'sent', 'sent'].map((text) => says(text))],
      { budget: { wallClockMs: 60_000 } },
    )
    const asked = events.next('approval-request')
    const outcome = session.send('go')
    const { approvalId } = await asked
    await clock.advance(590_000)
    approvals.answer(approvalId, 'allow-once')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(ran).toHaveLength(1)
  })

  it('that is refused is refused for the parents too', async () => {
    const send = calls('send', { to: 'ada' })
    const { session, events, approvals, ran } = open([
      ...DEEP,
      send,
      says('refused'),
      calls('send', { to: 'ADA ' }),
      says('refused'),
      says('refused'),
      calls('send', { to: 'Ada' }),
      says('refused'),
    ])
    const asked = events.next('approval-request')
    const outcome = session.send('go')
    approvals.answer((await asked).approvalId, 'deny')
    expect(await outcome).toMatchObject({ type: 'done' })
    expect(events.of('approval-request')).toHaveLength(1)
    expect(events.of('tool-end').filter(({ tool }) => tool === 'send')).toHaveLength(3)
    expect(ran).toEqual([])
  })

  it('does not prevent the turn from being stopped', async () => {
    const { session, events, approvals, ran } = open([...DEEP, calls('send', {})])
    const asked = events.next('approval-request')
    const outcome = session.send('go')
    const { approvalId } = await asked
    session.stop()
    expect(await outcome).toMatchObject({ type: 'aborted' })
    expect(approvals.answer(approvalId, 'allow-once')).toBe('expired')
    expect(ran).toEqual([])
  })
})
