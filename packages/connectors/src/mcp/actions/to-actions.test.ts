import type { Tool } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { toEffect } from './to-effect.ts'
import { toActions } from './to-actions.ts'

const tool = (name: string, more: Partial<Tool> = {}): Tool => ({
  name,
  description: `Does ${name}.`,
  inputSchema: { type: 'object', properties: {} },
  ...more,
})

function nested(levels: number): Tool['inputSchema'] {
  let inner: Record<string, unknown> = { type: 'string' }
  for (let level = 0; level < levels; level++) inner = { type: 'object', properties: { inner } }
  return { type: 'object', properties: { inner } } as Tool['inputSchema']
}

describe('tools of a stranger', () => {
  it('lose what hides or forges, in words and in the words of the schema, and nowhere else', () => {
    const { actions } = toActions(
      [
        tool('read', {
          description: 'Safe\u202e evil\u0007 \u{e0041}text',
          inputSchema: {
            type: 'object',
            properties: { a: { type: 'string', description: 'x\u200by', enum: ['\u202ekeep'] } },
          },
        }),
      ],
      true,
    )
    expect(actions[0]!.description).toBe('Safe evil text')
    expect(actions[0]!.input).toMatchObject({
      properties: { a: { description: 'xy', enum: ['\u202ekeep'] } },
    })
  })

  it('are described in 2,000 characters at most', () => {
    const { actions } = toActions([tool('long', { description: 'é語😀'.repeat(2_000) })], true)
    expect(actions[0]!.description.length).toBeLessThanOrEqual(2_000)
    expect(actions[0]!.description.isWellFormed()).toBe(true)
  })

  it.each([
    ['a name that cannot be used', tool('rm -rf\n')],
    ['no name', tool('')],
    ['a schema too deep', tool('deep', { inputSchema: nested(20) })],
    [
      'a schema too large',
      tool('large', {
        inputSchema: { type: 'object', properties: { a: { type: 'string', enum: ['x'.repeat(40_000)] } } },
      }),
    ],
  ])('are left out, with a word, for %s', (_, bad) => {
    const { actions, problems } = toActions([bad, tool('fine')], true)
    expect(actions.map(({ name }) => name)).toEqual(['fine'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toContain('\n')
  })

  it('are 500 at most, and each name once', () => {
    const many = Array.from({ length: 600 }, (_, index) => tool(`tool_${index}`))
    const { actions, problems } = toActions([tool('tool_0', { description: 'first' }), ...many], true)
    expect(actions).toHaveLength(500)
    expect(actions[0]!.description).toBe('first')
    expect(problems).toHaveLength(2)
  })

  it('have another digest when their words, schema or reach are rewritten, and no other when not', () => {
    const digestOf = (more: Partial<Tool>) => toActions([tool('a', more)], true).actions[0]!.digest
    const plain = digestOf({})
    expect(digestOf({ inputSchema: { properties: {}, type: 'object' } })).toBe(plain)
    expect(digestOf({ title: 'A' })).toBe(plain)
    const rewritten = [
      digestOf({ description: 'Does b.' }),
      digestOf({ inputSchema: { type: 'object', properties: { b: {} } } }),
      digestOf({ annotations: { readOnlyHint: true } }),
    ]
    expect(new Set([plain, ...rewritten]).size).toBe(4)
  })
})

describe('how far an action reaches', () => {
  it.each([
    ['list_notes', { readOnlyHint: true }, true, 'read'],
    ['list_notes', {}, true, 'write'],
    ['list_notes', undefined, true, 'write'],
    ['list_notes', { readOnlyHint: true }, false, 'write'],
    ['list_notes', { readOnlyHint: true, destructiveHint: true }, true, 'write'],
    ['send_mail', { readOnlyHint: true }, true, 'write'],
    ['createPage', { readOnlyHint: true }, true, 'write'],
    ['delete_note', {}, true, 'admin'],
    ['delete_note', { readOnlyHint: true }, true, 'admin'],
    ['notes.purge', { destructiveHint: true }, true, 'admin'],
    ['write_file', { destructiveHint: true }, true, 'write'],
    ['list_permissions', { readOnlyHint: true }, true, 'read'],
    ['list_permissions', {}, true, 'admin'],
    ['grantAccess', undefined, true, 'admin'],
    ['undelete_note', undefined, true, 'write'],
  ] as const)('%s with %j, believed: %s', (name, annotations, isTrusted, effect) => {
    expect(toEffect(name, annotations, isTrusted)).toBe(effect)
  })
})
