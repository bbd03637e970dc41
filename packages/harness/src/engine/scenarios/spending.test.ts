import type { SpendingLimits } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { createSession } from '../../entry-points/session/session.ts'
import { calls, createTestClock, recordEvents, says, ScriptedModel, stubTool } from '../../testing/index.ts'
import { Allowance } from '../../turn/allowance.ts'

const clock = createTestClock()
const tool = stubTool('clock', () => '12:00')

function allow(limits: SpendingLimits): Allowance {
  return new Allowance({ limits: () => limits, clock, load: () => ({ usd: 0, tokens: 0 }) })
}

/** What one reply of the scripted model costs. */
async function tokensOfOneReply(): Promise<number> {
  const allowance = allow({})
  await createSession({ model: new ScriptedModel(says('ok')), clock, allowance }).send('go')
  return allowance.spent('day').tokens
}

describe('what a user may spend', () => {
  it('ends a turn with a failure that names the limit and where to raise it, without another model call', async () => {
    const allowance = allow({ tokensPerDay: 1 })
    const model = new ScriptedModel(calls('clock'), says('never'))
    const session = createSession({ model, tools: [tool], clock, allowance })
    const outcome = await session.send('go')
    expect(outcome).toMatchObject({
      type: 'failed',
      failure: {
        class: 'quota_exhausted',
        detail: { kind: 'day-limit', unit: 'tokens', limit: 1 },
        cause: 'The limit of 1 tokens per day that is set here is used up.',
        next: expect.stringContaining('Raise it in the settings'),
      },
    })
    expect(model.requests).toBe(1)
    expect(await session.send('again')).toMatchObject({ failure: { class: 'quota_exhausted' } })
    expect(model.requests).toBe(1)
  })

  it('holds over all threads of the user, and a raised limit counts at once', async () => {
    const limits = { usdPerMonth: 0 as number | undefined }
    const allowance = new Allowance({
      limits: () => (limits.usdPerMonth === undefined ? {} : { usdPerMonth: limits.usdPerMonth }),
      clock,
      load: () => ({ usd: 0, tokens: 0 }),
    })
    const start = () => createSession({ model: new ScriptedModel(says('ok')), clock, allowance })
    expect(await start().send('go')).toMatchObject({
      failure: { detail: { kind: 'month-limit', unit: 'usd' } },
    })
    limits.usdPerMonth = undefined
    expect(await start().send('go')).toMatchObject({ type: 'done' })
  })

  it('counts sub-agents', async () => {
    const one = await tokensOfOneReply()
    const allowance = allow({})
    const model = new ScriptedModel(calls('delegate_to_scout', { prompt: 'go' }), says('seen'), says('ok'))
    const agents = [{ id: 'scout', description: 'Scouts.', instructions: 'You scout.' }]
    const outcome = await createSession({ model, agents, clock, allowance }).send('go')
    expect(outcome).toMatchObject({ type: 'done' })
    expect(model.requests).toBe(3)
    expect(allowance.spent('day').tokens).toBeGreaterThanOrEqual(3 * one)
    expect(allowance.spent('day').tokens).toBe(outcome.usage.inputTokens + outcome.usage.outputTokens)
  })

  it('is warned of once, by a notice with its fact', async () => {
    const one = await tokensOfOneReply()
    const allowance = allow({ tokensPerDay: Math.floor(one * 1.1) })
    const events = recordEvents()
    const model = new ScriptedModel(says('ok'))
    await createSession({ model, clock, allowance, onEvent: events.onEvent }).send('go')
    const notices = events.all.filter(({ type }) => type === 'notice-add')
    expect(notices).toMatchObject([
      { fact: { kind: 'spending-day', name: expect.stringMatching(/^\d+ tokens \/ \d+ tokens$/) } },
    ])
  })
})
