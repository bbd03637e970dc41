import { describe, expect, it } from 'vitest'
import { createThreads } from '../entry-points/threads/threads.ts'
import { createMemoryStore } from '../ports/memory/memory-store.ts'
import { calls, says, ScriptedModel, stubTool } from '../testing/index.ts'
import { createTestClock } from '../testing/test-clock.ts'
import type { JsonObject } from '../turn/json.ts'

const PASSWORD = 'hunter2-Correct!Horse9'

/** A turn that is parked because it asks to send this. */
async function park(args: JsonObject, input: JsonObject = { type: 'object' }) {
  const store = createMemoryStore()
  const clock = createTestClock()
  const ran: unknown[] = []
  const send = stubTool('send', (given) => void ran.push(given), { effect: 'write', input })
  const model = new ScriptedModel(calls('send', args), says('Sent.'))
  const agent = { model, tools: [send], origin: 'web', safety: { mode: 'supervised' } } as const
  const threads = createThreads({ store, agent, clock })
  const { id } = await threads.create()
  await (await threads.open(id)).submit('Send it.')
  await threads.idle()
  const [approval] = await threads.pendingApprovals()
  return { threads, store, clock, agent, ran, approval: approval! }
}

describe('the exact arguments of an open approval', () => {
  it('are revealed, and are what runs', async () => {
    const args = { to: 'ada', login: { password: PASSWORD } }
    const { threads, approval, ran } = await park(args)
    expect(JSON.stringify(approval)).not.toContain(PASSWORD)
    expect(approval.hidden).toMatchObject([{ path: 'login.password' }])
    expect(await threads.revealArguments(approval.id)).toEqual({ arguments: args })
    await threads.answer(approval.id, 'allow-once')
    await threads.idle()
    expect(ran).toEqual([args])
  })

  it('are revealed with the defaults and repairs that the schema made', async () => {
    const input = {
      type: 'object',
      properties: { password: { type: 'string' }, times: { type: 'number' }, mode: { default: 'fast' } },
    }
    const { threads, approval, ran } = await park({ password: PASSWORD, times: '3' }, input)
    const exact = await threads.revealArguments(approval.id)
    await threads.answer(approval.id, 'allow-once')
    await threads.idle()
    expect(exact).toEqual({ arguments: ran[0] })
    expect(ran[0]).toMatchObject({ password: PASSWORD, times: 3 })
  })

  it('are not revealed after the answer, after the time, to another user, or for an unknown id', async () => {
    const { threads, store, agent, clock, approval } = await park({ password: PASSWORD })
    const others = createThreads({ store, agent, clock, userId: 'eve' })
    expect(await others.revealArguments(approval.id)).toBeUndefined()
    expect(await threads.revealArguments('approval_unknown')).toBeUndefined()
    expect(await threads.revealArguments(approval.id)).toBeDefined()
    await threads.answer(approval.id, 'deny')
    expect(await threads.revealArguments(approval.id)).toBeUndefined()
    const late = await park({ password: PASSWORD })
    await late.clock.advance(7 * 24 * 3_600_000)
    expect(await late.threads.revealArguments(late.approval.id)).toBeUndefined()
  })

  it('leave no trace in the ledger and the approval', async () => {
    const { threads, store, approval } = await park({ password: PASSWORD })
    const before = await store.ledger.read(approval.threadId)
    expect(await threads.revealArguments(approval.id)).toBeDefined()
    expect(await store.ledger.read(approval.threadId)).toEqual(before)
    const events = await store.ledger.readEvents(approval.threadId, 0)
    expect(JSON.stringify(events.find(({ type }) => type === 'approval-request'))).not.toContain(PASSWORD)
    expect(JSON.stringify(await store.approvals.get(approval.id))).not.toContain(PASSWORD)
  })
})
