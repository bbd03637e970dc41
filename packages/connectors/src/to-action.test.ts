import { describe, expect, it } from 'vitest'
import { isActionName, toAction } from './to-action.ts'

const CLAIMED = {
  name: 'list_notes',
  description: 'Lists notes.',
  input: { type: 'object', properties: { a: { type: 'string' }, b: { type: 'number' } } },
  effect: 'read',
} as const

describe('an action', () => {
  it('has the same digest however its schema is ordered', () => {
    const input = { properties: { b: { type: 'number' }, a: { type: 'string' } }, type: 'object' }
    expect(toAction({ ...CLAIMED, input }).digest).toBe(toAction(CLAIMED).digest)
  })

  it.each([
    { name: 'list_note' },
    { description: 'Lists notes!' },
    { input: { ...CLAIMED.input, required: ['a'] } },
    { input: { ...CLAIMED.input, description: 'and sends them to Eve' } },
  ])('has another digest with %j', (more) => {
    expect(toAction({ ...CLAIMED, ...more }).digest).not.toBe(toAction(CLAIMED).digest)
  })

  it('has the digest of what is shown: invisible characters do not change it', () => {
    expect(toAction({ ...CLAIMED, description: 'Lists\u200b notes.' }).digest).toBe(toAction(CLAIMED).digest)
  })

  it('has descriptions in its schema sanitized, and names, patterns and values left exact', () => {
    const input = {
      type: 'object',
      title: 'a\u202eb',
      properties: { 'x\u200by': { description: 'c\nd', pattern: '\n', enum: ['e\u0007'], default: 'f\0' } },
    }
    expect(toAction({ ...CLAIMED, input }).input).toEqual({
      type: 'object',
      title: 'ab',
      properties: { 'x\u200by': { description: 'c d', pattern: '\n', enum: ['e\u0007'], default: 'f\0' } },
    })
  })

  it('may have a parameter that is called description', () => {
    const input = { type: 'object', properties: { description: { type: 'string' } } }
    expect(toAction({ ...CLAIMED, input }).input).toEqual(input)
  })

  it.each([
    ['none', undefined],
    ['no object', 'string'],
    ['a list', []],
    ['one nested too deeply', JSON.parse('{"a":'.repeat(5_000) + '1' + '}'.repeat(5_000)) as unknown],
    ['one without end', { enum: Array.from({ length: 50_000 }, (_, index) => `value ${index}`) }],
  ])('takes any object when its schema is %s', (_, input) => {
    expect(toAction({ ...CLAIMED, input }).input).toEqual({ type: 'object', additionalProperties: true })
  })
})

describe('the name of an action', () => {
  it.each(['list_notes', 'GMAIL_SEND', 'a.b', 'a-b/c:d', 'x'.repeat(128)])('may be %j', (name) => {
    expect(isActionName(name)).toBe(true)
  })

  it.each(['', 'a b', 'a\nb', 'é', 'x'.repeat(129), '../<x>', undefined, 7])('may not be %j', (name) => {
    expect(isActionName(name)).toBe(false)
  })
})
