import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSession } from '../../entry-points/session/session.ts'
import { ScriptedModel, stubTool } from '../../testing/index.ts'
import { defineTool, effectOf, higherEffect, lowerEffect, toJsonSchema } from './tool.ts'

describe('the effect of a tool', () => {
  it('is write by default', () => {
    const tool = defineTool({ name: 'act', description: '', input: { type: 'object' }, run: () => 'ok' })
    expect(effectOf(tool, {})).toBe('write')
  })

  it.each([
    ['read', 'write', 'read', 'write'],
    ['write', 'read', 'read', 'write'],
    ['admin', 'write', 'write', 'admin'],
    ['read', 'read', 'read', 'read'],
  ] as const)('of %s and %s: the lower is %s, the higher %s', (a, b, lower, higher) => {
    expect(lowerEffect(a, b)).toBe(lower)
    expect(higherEffect(a, b)).toBe(higher)
  })
})

describe('the schema of a tool', () => {
  it('is JSON Schema as it was written', () => {
    const schema = { type: 'object', properties: {} }
    expect(toJsonSchema(schema)).toBe(schema)
  })

  it('is converted from a Standard Schema once', () => {
    const schema = z.object({ city: z.string().describe('Where'), days: z.number().int().default(1) })
    const json = toJsonSchema(schema)
    expect(json).toMatchObject({
      type: 'object',
      properties: { city: { type: 'string', description: 'Where' } },
      required: ['city'],
    })
    expect(json).not.toHaveProperty('$schema')
    expect(toJsonSchema(schema)).toBe(json)
  })

  it('that has no JSON Schema is refused with the remedy', () => {
    const mute = { '~standard': { version: 1, vendor: 'mute', validate: () => ({ value: 1 }) } }
    expect(() => toJsonSchema(mute as never)).toThrow(/"mute".*JSON Schema/)
  })

  it('that has no JSON Schema is refused when the agent is created, not during a turn', () => {
    const tool = stubTool('book', () => 'ok', { input: z.object({ when: z.date() }) })
    expect(() => createSession({ model: new ScriptedModel(), tools: [tool] })).toThrow(/Date/)
  })
})
