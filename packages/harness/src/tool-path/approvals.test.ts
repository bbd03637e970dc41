import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import type { TurnEvent } from '@capstan/protocol'
import type { ApprovalRequest } from '../ports/approval-gate.ts'
import { createMemoryApprovals } from '../ports/memory/memory-approvals.ts'
import { createSupervisedRun, createTestClock, stubGate } from '../testing/index.ts'
import { digestCall } from '../turn/digest.ts'

const supervised = createSupervisedRun
const gate = stubGate

describe('an approval request', () => {
  it('is made for writes and not for reads', async () => {
    const { call, answered, events, ran } = supervised()
    expect(await call({}, 'look')).toMatchObject({ ok: true, text: 'seen' })
    expect(events.of('approval-request')).toEqual([])
    expect(await answered({ to: 'ada' }, 'allow-once')).toMatchObject({ ok: true })
    expect(events.of('approval-request')).toHaveLength(1)
    expect(ran).toEqual([{ to: 'ada' }])
  })

  it('is not made for a call that could not run', async () => {
    const input = { type: 'object', required: ['to'] }
    const { call, events, ran } = supervised({ tool: { input } })
    await call({ no: 'address' })
    await call({}, 'no_such_tool')
    const forbidden = supervised({ safety: { rules: [{ tool: 'send', decision: 'deny' }] } })
    await forbidden.call()
    const below = supervised({ run: { effectCeiling: 'read' } })
    await below.call()
    const hosts = supervised({ tool: { scope: 'host' } })
    await hosts.call()
    for (const reported of [events, forbidden.events, below.events, hosts.events]) {
      expect(reported.of('approval-request')).toEqual([])
    }
    expect([...ran, ...forbidden.ran, ...below.ran, ...hosts.ran]).toEqual([])
  })

  it('is shown only after it was stored', async () => {
    const order: string[] = []
    const approvals = gate({
      open: async () => void order.push('stored'),
      wait: async () => (order.push('waiting'), { decision: 'deny', digest: '' }),
    })
    const onEvent = ({ type }: TurnEvent) => void order.push(type)
    await supervised({ run: { onEvent }, safety: { approvals } }).call()
    expect(order).toEqual([
      'tool-start',
      'stored',
      'approval-request',
      'waiting',
      'approval-answer',
      'tool-end',
    ])
  })

  it('that could not be stored is not shown, and nothing runs', async () => {
    const approvals = gate({ open: () => Promise.reject(new Error('disk full')) })
    const { call, events, ran } = supervised({ safety: { approvals } })
    expect(await call()).toMatchObject({ ok: false, failure: { category: 'declined' } })
    expect(events.of('approval-request')).toEqual([])
    expect(ran).toEqual([])
  })

  it('has the same id, digest and time limit as the stored one', async () => {
    const stored: ApprovalRequest[] = []
    const approvals = gate({ open: async (request) => void stored.push(request), timeoutMs: 5_000 })
    const { call, events, clock } = supervised({ safety: { approvals } })
    await call({ to: 'ada' })
    const [shown] = events.of('approval-request')
    expect(stored[0]).toMatchObject({
      id: shown!.approvalId,
      digest: digestCall('send', { to: 'ada' }),
      expiresAt: clock.now() + 5_000,
    })
    expect(shown).toMatchObject({ digest: stored[0]!.digest, expiresAt: stored[0]!.expiresAt, label: 'Send' })
  })

  it('shows exactly what will run, with defaults and repaired values', async () => {
    const input = {
      type: 'object',
      properties: { to: { type: 'string' }, copies: { type: 'integer', default: 100 } },
    }
    const { answered, events, ran } = supervised({ tool: { input } })
    await answered({ to: 7 }, 'allow-once')
    expect(events.of('approval-request')[0]!.arguments).toEqual({ to: '7', copies: 100 })
    expect(ran).toEqual([{ to: '7', copies: 100 }])
  })

  it('shows the defaults of other schemas, too', async () => {
    const input = z.object({ to: z.string(), force: z.boolean().default(true) })
    const { answered, events, ran } = supervised({ tool: { input } })
    await answered({ to: 'ada' }, 'allow-once')
    expect(ran).toEqual([{ to: 'ada', force: true }])
    expect(events.of('approval-request')[0]!.arguments).toEqual({ to: 'ada', force: true })
  })

  it('shows redacted secrets, while the tool gets the real ones', async () => {
    const key = 'sk-proj-4f9a8b7c6d5e4f3a2b1c0d9e8f7a6b5c'
    const token = 'a plain sentence we keep'
    const { answered, approvals, events, ran } = supervised({
      safety: { secrets: [token] },
      tool: { label: (args) => ({ label: `Send ${JSON.stringify(args)}`, detail: JSON.stringify(args) }) },
    })
    const shown = events.next('approval-request').then(() => JSON.stringify(approvals.pending()))
    await answered({ key, note: token }, 'allow-once')
    for (const seen of [JSON.stringify(events.all), await shown]) {
      expect(seen).not.toContain(key)
      expect(seen).not.toContain(token)
      expect(seen).toContain('note')
    }
    expect(ran).toEqual([{ key, note: token }])
  })

  it('shows a copy: changing it does not change what runs', async () => {
    const tamper = (shown: unknown) => Object.assign(shown as object, { to: 'mallory' })
    const approvals = gate({
      open: async ({ arguments: args }) => void tamper(args),
      wait: async () => ({ decision: 'allow-once', digest: digestCall('send', { to: 'ada' }) }),
    })
    const ranWith = supervised({
      safety: { approvals },
      run: { onEvent: (event) => event.type === 'approval-request' && tamper(event.arguments) },
    })
    await ranWith.call({ to: 'ada' })
    expect(ranWith.ran).toEqual([{ to: 'ada' }])
  })
})

describe('an approval answer', () => {
  it.each([
    ['allow-once', { ok: true }],
    ['allow-thread', { ok: true }],
    ['allow-hour', { ok: true }],
    ['allow-always', { ok: true }],
    ['deny', { ok: false, failure: { class: 'denied_by_user' } }],
  ] as const)('%s is applied, reported and audited', async (decision, expected) => {
    const { answered, events, ran, audit } = supervised()
    expect(await answered({}, decision)).toMatchObject(expected)
    expect(events.of('approval-answer')).toMatchObject([{ decision }])
    expect(ran).toHaveLength(expected.ok ? 1 : 0)
    expect(audit.rows).toMatchObject([{ decision: expected.ok ? 'approved' : 'refused' }])
  })

  it('once applies to one call', async () => {
    const { answered, events } = supervised()
    await answered({ n: 1 }, 'allow-once')
    await answered({ n: 1 }, 'allow-once')
    expect(events.of('approval-request')).toHaveLength(2)
  })

  it('always applies to that tool from then on, and to no other', async () => {
    const { answered, call, approvals, events, ran } = supervised()
    await answered({ n: 1 }, 'allow-always')
    expect(await call({ n: 2 })).toMatchObject({ ok: true })
    expect(ran).toHaveLength(2)
    expect(events.of('approval-request')).toHaveLength(1)
    expect(approvals.grants()).toMatchObject([{ tool: 'send', lifetime: 'always' }])
  })

  it('for other arguments is refused', async () => {
    const approvals = gate({
      wait: async () => ({ decision: 'allow-once', digest: digestCall('send', { to: 'ada' }) }),
    })
    const { call, ran } = supervised({ safety: { approvals } })
    expect(await call({ to: 'mallory' })).toMatchObject({
      ok: false,
      failure: { class: 'blocked_by_policy' },
    })
    expect(await call({ to: 'ada' })).toMatchObject({ ok: true })
    expect(ran).toEqual([{ to: 'ada' }])
  })

  it('that is not given in time is a refusal, at the time that was shown', async () => {
    const { call, clock, events, ran, approvals } = supervised()
    const shown = events.next('approval-request')
    const result = call()
    const { approvalId } = await shown
    await clock.advance(599_999)
    expect(approvals.pending()).toHaveLength(1)
    await clock.advance(1)
    expect(await result).toMatchObject({ ok: false, failure: { class: 'approval_expired' } })
    expect(approvals.answer(approvalId, 'allow-once')).toBe('expired')
    expect(approvals.pending()).toEqual([])
    expect(ran).toEqual([])
  })

  it('that is late, repeated or without a request is reported as such, and changes nothing', async () => {
    const { answered, approvals, events, ran } = supervised()
    await answered({}, 'deny')
    const { approvalId } = events.of('approval-request')[0]!
    expect(approvals.answer(approvalId, 'allow-once')).toBe('already-answered')
    expect(approvals.answer(approvalId, 'allow-always')).toBe('already-answered')
    expect(approvals.answer('approval_made_up', 'allow-once')).toBe('unknown')
    expect(approvals.grants()).toEqual([])
    expect(ran).toEqual([])
  })

  it('that arrives before the wait begins is not lost', async () => {
    const approvals = createMemoryApprovals({ clock: createTestClock() })
    const onEvent = (event: TurnEvent) =>
      event.type === 'approval-request' && approvals.answer(event.approvalId, 'allow-once')
    const { call, ran } = supervised({ safety: { approvals }, run: { onEvent } })
    expect(await call()).toMatchObject({ ok: true })
    expect(ran).toHaveLength(1)
  })

  it.each([
    ['is an unknown decision', gate({ wait: async () => ({ decision: 'sure', digest: 'x' }) as never })],
    [
      'is an unknown decision with the right digest',
      gate({ wait: async () => ({ decision: 'yes', digest: digestCall('send', {}) }) as never }),
    ],
    ['is undefined', gate({ wait: async () => undefined as never })],
    ['is a rejection', gate({ wait: () => Promise.reject(new Error('gone')) })],
    [
      'is a thrown error',
      gate({
        wait: () => {
          throw new Error('gone')
        },
      }),
    ],
    [
      'comes from a gate whose list of grants throws',
      gate({
        findGrant: () => {
          throw new Error('gone')
        },
      }),
    ],
  ])('that %s is a refusal', async (_what, approvals) => {
    const { call, ran, audit } = supervised({ safety: { approvals } })
    expect(await call()).toMatchObject({ ok: false, failure: { category: 'declined' } })
    expect(ran).toEqual([])
    expect(audit.rows).toMatchObject([{ decision: 'refused', ok: false }])
  })
})

describe('a grant', () => {
  const to = (address: string) => ({ to: address })

  it.each(['allow-thread', 'allow-hour', 'allow-always'] as const)(
    'by %s saves the question for the next call',
    async (decision) => {
      const { answered, call, events, ran } = supervised()
      await answered({ n: 1 }, decision)
      expect(await call({ n: 2 })).toMatchObject({ ok: true })
      expect(events.of('approval-request')).toHaveLength(1)
      expect(ran).toHaveLength(2)
    },
  )

  it('for an hour is over after an hour', async () => {
    const { answered, clock, events } = supervised()
    await answered({ n: 1 }, 'allow-hour')
    await clock.advance(3_600_000)
    await answered({ n: 2 }, 'deny')
    expect(events.of('approval-request')).toHaveLength(2)
  })

  it('that is revoked asks again', async () => {
    const { answered, approvals, events } = supervised()
    await answered({ n: 1 }, 'allow-always')
    expect(approvals.revokeGrant(approvals.grants()[0]!.id)).toBe(true)
    await answered({ n: 2 }, 'deny')
    expect(events.of('approval-request')).toHaveLength(2)
  })

  it('never covers what administers: always means once', async () => {
    const { answered, approvals, events, ran } = supervised({ tool: { effect: 'admin' } })
    await answered({ n: 1 }, 'allow-always')
    expect(events.of('approval-answer')).toMatchObject([{ decision: 'allow-once' }])
    expect(approvals.grants()).toEqual([])
    await answered({ n: 1 }, 'deny')
    expect(events.of('approval-request')).toHaveLength(2)
    expect(ran).toHaveLength(1)
  })

  it('with a constraint covers its destinations and asks about others', async () => {
    const { answered, call, events, ran } = supervised({ tool: { destinations: ['to', 'bcc'] } })
    await answered(to('ada@example.com'), 'allow-always', { to: ['*@example.com'] })
    expect(events.of('approval-request')[0]).toMatchObject({
      limits: [{ to: ['ada@example.com'] }, { to: ['*@example.com'] }],
    })
    expect(await call(to('bob@example.com'))).toMatchObject({ ok: true })
    await answered(to('eve@evil.test'), 'deny')
    await answered({ ...to('bob@example.com'), bcc: 'eve@evil.test' }, 'deny')
    expect(events.of('approval-request')).toHaveLength(3)
    expect(ran).toHaveLength(2)
  })

  it('that a gate makes up for another call is not believed', async () => {
    const wrong = { definitionDigest: 'another', effect: 'write' } as const
    const approvals = gate({
      findGrant: ({ tool, threadId }) => ({
        id: 'grant_1',
        tool,
        threadId,
        binding: wrong,
        lifetime: 'always',
        createdAt: 0,
      }),
    })
    const { call, ran } = supervised({ safety: { approvals } })
    expect(await call()).toMatchObject({ ok: false })
    expect(ran).toEqual([])
  })

  it('suggests no constraint for a destination that is hidden as a secret', async () => {
    const token = 'a plain sentence we keep'
    const { answered, events } = supervised({
      safety: { secrets: [token] },
      tool: { destinations: ['url'] },
    })
    await answered({ url: `https://example.com/${token}` }, 'deny')
    expect(events.of('approval-request')[0]).not.toHaveProperty('limits')
    expect(events.of('approval-request')[0]).toMatchObject({
      hidden: [{ path: 'url', chars: token.length, source: 'stored' }],
    })
  })
})

describe('hidden values', () => {
  it('are counted with their place, length and source', async () => {
    const token = 'a plain sentence we keep'
    const { answered, events } = supervised({ safety: { secrets: [token] } })
    const password = 'hunter2-Correct!Horse9'
    await answered({ note: `x ${token} y`, deep: [{ password }], plain: 'tea' }, 'deny')
    expect(events.of('approval-request')[0]).toMatchObject({
      hidden: [
        { path: 'note', chars: token.length, source: 'stored' },
        { path: 'deep.0.password', chars: password.length, source: 'recognised' },
      ],
    })
  })

  it('are not mentioned where nothing is hidden', async () => {
    const { answered, events } = supervised()
    await answered({ note: 'tea' }, 'deny')
    expect(events.of('approval-request')[0]).not.toHaveProperty('hidden')
  })
})
