import { describe, expect, it } from 'vitest'
import type { AuditLog, AuditRow } from '../ports/audit-log.ts'
import { createMemoryAuditLog } from '../ports/memory/memory-audit-log.ts'
import type { Step } from '../testing/index.ts'
import {
  ALLOW_ALL,
  calls,
  callsMany,
  createSupervisedRun,
  createTestClock,
  malformedCall,
  recordEvents,
  says,
  ScriptedModel,
  stubTool,
} from '../testing/index.ts'
import { createSession } from '../entry-points/session/session.ts'
import type { SessionOptions } from '../entry-points/session/session.ts'
import { fail } from '../turn/tool/tool-outcome.ts'
import type { Tool } from '../turn/tool/tool.ts'

const SEED = 'seeded-argument'
const OUTPUT = 'seeded-output'

const TOOLS: readonly Tool[] = [
  stubTool('fine', () => OUTPUT),
  stubTool('writes', () => OUTPUT, { effect: 'write', returns: [] }),
  stubTool('fails', () => fail(OUTPUT, { httpStatus: 404 })),
  stubTool('throws', () => {
    throw new Error(OUTPUT)
  }),
  stubTool('strict', () => OUTPUT, { input: { type: 'object', required: ['to'] } }),
  stubTool('secret', () => OUTPUT, { scope: 'host' }),
  stubTool('denied', () => OUTPUT),
  stubTool('asks', () => OUTPUT, { endsTurn: true }),
]
const RULES = [
  { tool: '*', decision: 'allow' },
  { tool: 'denied', decision: 'deny' },
] as const

/** One turn with its events and audit rows. */
async function audited(steps: readonly Step[], more: Partial<SessionOptions> = {}) {
  const audit = createMemoryAuditLog()
  const events = recordEvents()
  const session = createSession({
    model: new ScriptedModel(...steps),
    tools: TOOLS,
    guards: () => [],
    onEvent: events.onEvent,
    safety: { mode: 'full', rules: RULES, audit },
    ...more,
  })
  const outcome = await session.send('go')
  return { rows: audit.rows, events, outcome, session }
}

const args = { note: SEED }

describe('every requested call', () => {
  it.each<[string, Step, Partial<AuditRow>]>([
    ['ran', calls('fine', args), { decision: 'allowed', ok: true, effect: 'read' }],
    ['ran and wrote', calls('writes', args), { decision: 'allowed', ok: true, effect: 'write' }],
    ['failed', calls('fails', args), { decision: 'allowed', ok: false, failure: 'not_found' }],
    ['threw', calls('throws', args), { decision: 'allowed', ok: false, failure: 'unknown' }],
    ['did not fit', calls('strict', args), { decision: 'invalid', ok: false, failure: 'invalid_input' }],
    [
      'named no tool',
      calls('nothing', args),
      { decision: 'invalid', ok: false, failure: 'not_found', tool: 'nothing' },
    ],
    [
      'could not be read',
      malformedCall('fine', `{"note": "${SEED}`),
      { decision: 'invalid', ok: false, failure: 'invalid_input' },
    ],
    [
      'was not for models',
      calls('secret', args),
      { decision: 'refused', ok: false, failure: 'blocked_by_policy' },
    ],
    [
      'was forbidden',
      calls('denied', args),
      { decision: 'refused', ok: false, failure: 'blocked_by_policy' },
    ],
  ])('that %s has one audit row, without arguments and output', async (_what, step, expected) => {
    const { rows, session, events } = await audited([step, says('done')])
    expect(rows).toHaveLength(1)
    expect(rows[0]).toMatchObject({ threadId: session.threadId, agent: 'session', ...expected })
    expect(rows[0]!.callId).toBe(events.of('tool-end')[0]!.callId)
    expect(JSON.stringify(rows)).not.toContain(SEED)
    expect(JSON.stringify(rows)).not.toContain(OUTPUT)
  })

  it('that did not run because the batch had ended has an audit row with that status', async () => {
    const { rows, outcome } = await audited([
      callsMany([{ tool: 'asks' }, { tool: 'writes', args }, { tool: 'fine', args }]),
    ])
    expect(outcome.type).toBe('needs-input')
    expect(rows).toMatchObject([
      { tool: 'asks', ok: true },
      { tool: 'writes', decision: 'refused', ok: false, failure: 'cancelled' },
      { tool: 'fine', decision: 'refused', ok: false, failure: 'cancelled' },
    ])
  })

  it('over the call cap has an audit row', async () => {
    const { rows } = await audited(
      [callsMany(Array.from({ length: 5 }, (_, n) => ({ tool: 'writes', args: { n } }))), says('done')],
      {
        limits: { maxCalls: 2 },
      },
    )
    expect(rows.map(({ ok }) => ok)).toEqual([true, true, false, false, false])
  })

  it('that was abandoned at its deadline has an audit row by then', async () => {
    const clock = createTestClock()
    const stuck = stubTool('stuck', () => new Promise(() => {}))
    const turn = audited([calls('stuck'), says('done')], { clock, tools: [stuck] })
    await clock.waiting()
    await clock.advance(125_000)
    expect((await turn).rows).toMatchObject([{ tool: 'stuck', ok: false, failure: 'timeout' }])
  })

  it('has its own audit row, in a batch of thirty as in a batch of one', async () => {
    const names = ['fine', 'writes', 'fails', 'nothing', 'denied', 'strict']
    const { rows, events } = await audited([
      callsMany(Array.from({ length: 30 }, (_, n) => ({ tool: names[n % names.length]!, args }))),
      says('done'),
    ])
    expect(rows).toHaveLength(30)
    expect(new Set(rows.map(({ callId }) => callId)).size).toBe(30)
    expect(events.of('tool-start')).toHaveLength(30)
    expect(events.of('tool-end')).toHaveLength(30)
  })

  it('is audited before its end is reported', async () => {
    const order: string[] = []
    const audit: AuditLog = { record: async () => void order.push('audited') }
    await audited([calls('fine'), says('done')], {
      safety: { ...ALLOW_ALL, audit },
      onEvent: ({ type }) => void order.push(type),
    })
    expect(order.filter((step) => ['audited', 'tool-end'].includes(step))).toEqual(['audited', 'tool-end'])
  })

  it('has the same digest in the audit row and the approval request', async () => {
    const input = { type: 'object', properties: { copies: { type: 'integer', default: 3 } } }
    const { answered, audit, events } = createSupervisedRun({ tool: { input } })
    await answered({ to: 'ada' }, 'allow-once')
    await answered({ to: 'grace' }, 'deny')
    expect(audit.rows.map(({ digest }) => digest)).toEqual(
      events.of('approval-request').map(({ digest }) => digest),
    )
  })
})

describe('an audit log that cannot write', () => {
  it.each([
    [
      'at once',
      () => {
        throw new Error('disk full')
      },
    ],
    ['after a while', () => Promise.reject(new Error('disk full'))],
  ])('ends the turn, and later calls do not run: %s', async (_when, record) => {
    let ran = 0
    const events = recordEvents()
    const model = new ScriptedModel(callsMany([{ tool: 'acts' }, { tool: 'acts' }]), says('never said'))
    const session = createSession({
      model,
      tools: [stubTool('acts', () => ++ran, { effect: 'write' })],
      safety: { ...ALLOW_ALL, audit: { record } },
      onEvent: events.onEvent,
    })
    await expect(session.send('go')).rejects.toThrow('disk full')
    expect(ran).toBe(1)
    expect(model.requests).toBe(1)
    expect(events.of('turn-end')).toMatchObject([{ outcome: { type: 'failed' } }])
    expect(events.of('tool-end')).toEqual([])
  })
})
