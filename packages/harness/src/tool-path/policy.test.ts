import { describe, expect, it } from 'vitest'
import { createToolServices } from '../entry-points/tool-services.ts'
import type { Effect } from '../turn/tool/tool.ts'
import type { SafetyMode, ToolRule } from './policy.ts'
import { decide } from './policy.ts'

const EFFECTS: readonly Effect[] = ['read', 'write', 'admin']
const MODES: readonly SafetyMode[] = ['read-only', 'supervised', 'full']
const rule = (decision: ToolRule['decision'], tool = 'mail_send'): ToolRule => ({ tool, decision })
const ruled = (rules: readonly ToolRule[], mode: SafetyMode = 'supervised', effect: Effect = 'write') =>
  decide({ mode, rules }, 'mail_send', effect).type

describe('the safety mode', () => {
  it.each([
    ['read-only', 'read', 'allow'],
    ['read-only', 'write', 'deny'],
    ['read-only', 'admin', 'deny'],
    ['supervised', 'read', 'allow'],
    ['supervised', 'write', 'ask'],
    ['supervised', 'admin', 'ask'],
    ['full', 'read', 'allow'],
    ['full', 'write', 'allow'],
    ['full', 'admin', 'ask'],
  ] as const)('%s, for a call with effect %s: %s', (mode, effect, expected) => {
    expect(decide({ mode, rules: [] }, 'any', effect).type).toBe(expected)
    expect(decide({ mode, rules: [rule('allow', 'other')] }, 'any', effect).type).toBe(expected)
  })

  it('gives the reason for a denial', () => {
    expect(decide({ mode: 'read-only', rules: [] }, 'any', 'write')).toMatchObject({
      reason: 'the safety mode is read-only',
    })
  })

  it('is supervised by default', () => {
    expect(createToolServices().policy).toEqual({ mode: 'supervised', rules: [] })
  })
})

describe('policy rules', () => {
  const orders = (decisions: readonly ToolRule['decision'][]): readonly (readonly ToolRule[])[] =>
    decisions.length < 2
      ? [decisions.map((decision) => rule(decision))]
      : decisions.flatMap((first, index) =>
          orders(decisions.toSpliced(index, 1)).map((rest) => [rule(first), ...rest]),
        )

  it('apply deny before ask and ask before allow, in any order', () => {
    for (const rules of orders(['allow', 'ask', 'deny'])) expect(ruled(rules)).toBe('deny')
    for (const rules of orders(['allow', 'ask'])) expect(ruled(rules, 'full')).toBe('ask')
    for (const rules of orders(['allow', 'deny'])) expect(ruled(rules, 'full')).toBe('deny')
    expect(ruled([rule('allow')])).toBe('allow')
  })

  it('override the mode, in both directions', () => {
    expect(ruled([rule('allow')], 'supervised', 'admin')).toBe('allow')
    expect(ruled([rule('ask')], 'full', 'read')).toBe('ask')
    for (const mode of MODES) {
      for (const effect of EFFECTS) expect(ruled([rule('deny')], mode, effect)).toBe('deny')
    }
  })

  it('cannot override read-only', () => {
    for (const effect of ['write', 'admin'] as const) {
      expect(ruled([rule('allow')], 'read-only', effect)).toBe('deny')
      expect(ruled([rule('ask')], 'read-only', effect)).toBe('deny')
      expect(ruled([rule('allow', '*')], 'read-only', effect)).toBe('deny')
    }
  })

  it('match a prefix by a trailing star, and nothing else', () => {
    expect(ruled([rule('deny', 'mail_*')])).toBe('deny')
    expect(ruled([rule('deny', '*')])).toBe('deny')
    expect(ruled([rule('deny', 'mail_send*')])).toBe('deny')
    expect(ruled([rule('deny', 'mail_sender*')])).toBe('ask')
    expect(ruled([rule('deny', 'mail')])).toBe('ask')
    expect(ruled([rule('deny', 'MAIL_SEND')])).toBe('ask')
    expect(ruled([rule('deny', 'mail.send')])).toBe('ask')
  })

  it('with a broader pattern win by their decision, not by their length', () => {
    expect(ruled([rule('deny', '*'), rule('allow', 'mail_send')])).toBe('deny')
    expect(ruled([rule('allow', '*'), rule('ask', 'mail_send')], 'full')).toBe('ask')
  })
})

describe('policy settings with a mistake', () => {
  it.each([
    ['an unknown mode', { mode: 'readonly' as SafetyMode }, 'safety.mode'],
    [
      'an unknown decision',
      { rules: [{ tool: 'x', decision: 'forbid' as ToolRule['decision'] }] },
      'safety.rules',
    ],
    ['a star in the middle', { rules: [rule('deny', 'mail_*_send')] }, 'safety.rules'],
  ])('are refused when they are created: %s', (_what, options, field) => {
    expect(() => createToolServices(options)).toThrow(expect.objectContaining({ field }))
  })
})
