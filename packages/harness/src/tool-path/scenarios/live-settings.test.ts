import { describe, expect, it } from 'vitest'
import type { SafetyMode, ToolRule } from '../policy.ts'
import { createSupervisedRun } from '../../testing/index.ts'

describe('safety settings that are functions', () => {
  it('are read at each call, so a stricter mode reaches a turn that is running', async () => {
    let mode: SafetyMode = 'full'
    const { call, ran } = createSupervisedRun({ safety: { mode: () => mode } })
    expect(await call({ to: 'ada' })).toMatchObject({ ok: true })
    mode = 'read-only'
    expect(await call({ to: 'bob' })).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([{ to: 'ada' }])
  })

  it('include the rules', async () => {
    let rules: readonly ToolRule[] = []
    const { call, ran } = createSupervisedRun({ safety: { mode: 'full', rules: () => rules } })
    await call({ to: 'ada' })
    rules = [{ tool: 'send', decision: 'deny' }]
    expect(await call({ to: 'bob' })).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([{ to: 'ada' }])
  })

  it('refuse a call that was approved before the mode became read-only', async () => {
    let mode: SafetyMode = 'supervised'
    const { call, approvals, events, ran } = createSupervisedRun({ safety: { mode: () => mode } })
    const shown = events.next('approval-request')
    const result = call({ to: 'ada' })
    const { approvalId } = await shown
    mode = 'read-only'
    approvals.answer(approvalId, 'allow-once')
    expect(await result).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([])
  })

  it.each([
    ['a mode that is not known', { mode: () => 'everything' as SafetyMode }],
    [
      'a mode that throws',
      {
        mode: () => {
          throw new Error('no settings')
        },
      },
    ],
    ['rules that are broken', { mode: 'full' as const, rules: () => [{ tool: 'send' }] as ToolRule[] }],
  ])('refuse what changes something for %s', async (_, safety) => {
    const { call, ran } = createSupervisedRun({ safety })
    expect(await call({ to: 'ada' })).toMatchObject({ ok: false, failure: { class: 'blocked_by_policy' } })
    expect(ran).toEqual([])
  })
})
