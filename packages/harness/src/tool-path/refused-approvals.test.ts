import { describe, expect, it } from 'vitest'
import { createMemoryApprovals } from '../ports/memory/memory-approvals.ts'
import { createSupervisedRun, createTestClock, createTestRun, stubGate } from '../testing/index.ts'
import { Budget } from '../turn/budget.ts'
import { digestCall } from '../turn/digest.ts'
import type { JsonObject } from '../turn/json.ts'

const supervised = createSupervisedRun

describe('a refusal', () => {
  const refusedOnce = async (args: JsonObject) => {
    const world = supervised()
    await world.answered(args, 'deny')
    return world
  }

  it.each<[string, JsonObject]>([
    ['as it was', { to: 'Ada', note: 'Hello there' }],
    ['in another order', { note: 'Hello there', to: 'Ada' }],
    ['in other letters', { to: 'ADA', note: 'hello THERE' }],
    ['with other white space', { to: ' Ada\n', note: 'Hello  \t there' }],
  ])('applies to the same call %s, without another approval request', async (_how, args) => {
    const { call, events, ran } = await refusedOnce({ to: 'Ada', note: 'Hello there' })
    expect(await call(args)).toMatchObject({ ok: false, failure: { class: 'denied_by_user' } })
    expect(events.of('approval-request')).toHaveLength(1)
    expect(ran).toEqual([])
  })

  it('of one call leaves other calls open', async () => {
    const { answered, ran } = await refusedOnce({ to: 'ada' })
    expect(await answered({ to: 'grace' }, 'allow-once')).toMatchObject({ ok: true })
    expect(ran).toEqual([{ to: 'grace' }])
  })

  it('limits variations: twenty other forms of the call lead to one more request only', async () => {
    const { call, answered, events, ran, audit } = await refusedOnce({ to: 'ada', try: 0 })
    await answered({ to: 'ada', try: 1 }, 'deny')
    for (let n = 2; n <= 20; n++) {
      expect(await call({ to: 'ada', try: n })).toMatchObject({ failure: { class: 'denied_by_user' } })
    }
    expect(events.of('approval-request')).toHaveLength(2)
    expect(ran).toEqual([])
    expect(audit.rows).toHaveLength(21)
  })

  it('limits parallel calls: twenty calls at once are requested one after the other', async () => {
    const asked: string[] = []
    const approvals = stubGate({
      open: async ({ id }) => void asked.push(id),
      wait: async () => ({ decision: 'deny', digest: '' }),
    })
    const { call, ran } = supervised({ safety: { approvals } })
    const results = await Promise.all(Array.from({ length: 20 }, (_, n) => call({ n })))
    expect(results.every(({ failure }) => failure?.class === 'denied_by_user')).toBe(true)
    expect(asked).toHaveLength(2)
    expect(ran).toEqual([])
  })

  it('by timeout is remembered, too', async () => {
    const { call, clock, events } = supervised()
    const shown = events.next('approval-request')
    const result = call({ n: 1 })
    await shown
    await clock.advance(600_000)
    expect(await result).toMatchObject({ failure: { class: 'approval_expired' } })
    expect(await call({ n: 1 })).toMatchObject({ ok: false })
    expect(events.of('approval-request')).toHaveLength(1)
  })

  it('is remembered by every run of the same turn, and by no other', async () => {
    const { run } = await refusedOnce({ to: 'ada' })
    const child = supervised({ run: createTestRun({ refusals: run.refusals, depth: 1 }) })
    expect(await child.call({ to: 'ada' })).toMatchObject({ failure: { class: 'denied_by_user' } })
    expect(child.ran).toEqual([])
    const nextTurn = supervised()
    expect(await nextTurn.answered({ to: 'ada' }, 'allow-once')).toMatchObject({ ok: true })
  })

  it('wins over a later permission', async () => {
    const { call, answered, ran } = await refusedOnce({ to: 'ada' })
    await answered({ to: 'grace' }, 'allow-always')
    expect(await call({ to: 'ada' })).toMatchObject({ ok: false })
    expect(ran).toEqual([{ to: 'grace' }])
  })
})

describe('a run without anybody to ask', () => {
  it.each(['channel', 'trigger', 'schedule', 'unlabelled'] as const)(
    'from %s makes no approval request and runs nothing',
    async (origin) => {
      const { call, events, ran } = supervised({ run: { origin } })
      expect(await call()).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
      expect(events.of('approval-request')).toEqual([])
      expect(ran).toEqual([])
      expect(await call({}, 'look')).toMatchObject({ ok: true })
    },
  )

  it.each(['web', 'cli'] as const)('is not one from %s', async (origin) => {
    expect(await supervised({ run: { origin } }).answered({}, 'allow-once')).toMatchObject({ ok: true })
  })

  it('because approvals are not set up refuses a call that needs one', async () => {
    const { call, ran } = supervised({ safety: { approvals: undefined } })
    expect(await call()).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([])
  })
})

describe('the time a person needs', () => {
  it('does not count as time of the turn', async () => {
    const clock = createTestClock()
    const budget = new Budget({ wallClockMs: 1_000 }, clock)
    const approvals = createMemoryApprovals({ clock })
    const { call, events } = supervised({ run: { clock, budget }, safety: { approvals } })
    await clock.advance(400)
    const shown = events.next('approval-request')
    const result = call()
    const { approvalId } = await shown
    await clock.advance(300_000)
    expect(budget.remainingMs()).toBe(600)
    approvals.answer(approvalId, 'allow-once')
    expect(await result).toMatchObject({ ok: true })
    expect(budget.remainingMs()).toBe(600)
    await clock.advance(600)
    expect(budget.exhausted()).toEqual({ kind: 'wall-clock', limit: 1_000 })
  })
})

describe('a turn that is stopped during an approval', () => {
  it.each([
    ['a gate that obeys the signal', () => createMemoryApprovals({ clock: createTestClock() })],
    ['a gate that ignores the signal', () => stubGate({ wait: () => new Promise(() => {}) })],
  ])('does not wait for the answer: %s', async (_what, open) => {
    const controller = new AbortController()
    const { call, events, ran } = supervised({
      run: { signal: controller.signal },
      safety: { approvals: open() },
    })
    const shown = events.next('approval-request')
    const result = call()
    await shown
    controller.abort()
    expect(await result).toMatchObject({ ok: false, failure: { class: 'cancelled' } })
    expect(events.of('approval-answer')).toMatchObject([{ decision: 'expired' }])
    expect(ran).toEqual([])
  })

  it('makes no further request', async () => {
    const { call, events } = supervised({ run: { signal: AbortSignal.abort() } })
    expect(await call()).toMatchObject({ failure: { class: 'cancelled' } })
    expect(events.of('approval-request')).toEqual([])
  })

  it('runs nothing for an answer that arrives with the stop', async () => {
    const controller = new AbortController()
    const approvals = stubGate({
      wait: async () => (controller.abort(), { decision: 'allow-once', digest: digestCall('send', {}) }),
    })
    const { call, ran } = supervised({ run: { signal: controller.signal }, safety: { approvals } })
    expect(await call()).toMatchObject({ ok: false, failure: { class: 'cancelled' } })
    expect(ran).toEqual([])
  })
})
