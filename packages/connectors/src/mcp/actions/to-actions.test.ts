import type { Tool } from '@modelcontextprotocol/client'
import { describe, expect, it } from 'vitest'
import { toActions } from './to-actions.ts'

const SERVER = { slug: 'notes', isTrusted: false }

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

describe('the tools of an untrusted server', () => {
  it('are sanitized in descriptions and in schema descriptions, and nowhere else', () => {
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
      SERVER,
    )
    expect(actions[0]!.description).toBe('Safe evil text')
    expect(actions[0]!.input).toMatchObject({
      properties: { a: { description: 'xy', enum: ['\u202ekeep'] } },
    })
  })

  it('are described in 2,000 characters at most', () => {
    const { actions } = toActions([tool('long', { description: 'é語😀'.repeat(2_000) })], SERVER)
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
    const { actions, problems } = toActions([bad, tool('fine')], SERVER)
    expect(actions.map(({ name }) => name)).toEqual(['fine'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).not.toContain('\n')
  })

  it('are 500 at most, and each name once', () => {
    const many = Array.from({ length: 600 }, (_, index) => tool(`tool_${index}`))
    const { actions, problems } = toActions([tool('tool_0', { description: 'first' }), ...many], SERVER)
    expect(actions).toHaveLength(500)
    expect(actions[0]!.description).toBe('first')
    expect(problems).toHaveLength(2)
  })

  it('have a new digest when description, schema or effect change, and only then', () => {
    const digestOf = (more: Partial<Tool>) => toActions([tool('a', more)], SERVER).actions[0]!.digest
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

  it('keep their digest when the owner starts to trust the server', () => {
    const digestOf = (isTrusted: boolean) =>
      toActions([tool('overview', { annotations: { readOnlyHint: true } })], { slug: 'notes', isTrusted })
    expect(digestOf(true).actions[0]).toMatchObject({ effect: 'read', because: 'claim' })
    expect(digestOf(false).actions[0]).toMatchObject({ effect: 'write', because: 'name' })
    expect(digestOf(true).actions[0]!.digest).toBe(digestOf(false).actions[0]!.digest)
  })

  it('are judged without a word that all their names begin with', () => {
    const { actions } = toActions([tool('acme_get_note'), tool('acme_list_notes')], SERVER)
    expect(actions.map(({ effect }) => effect)).toEqual(['read', 'read'])
    expect(toActions([tool('acme_get_note'), tool('list_notes')], SERVER).actions[0]!.effect).toBe('write')
  })
})
