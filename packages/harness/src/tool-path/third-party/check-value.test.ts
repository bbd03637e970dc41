import { describe, expect, it } from 'vitest'
import { stubTool } from '../../testing/index.ts'
import type { JsonObject } from '../../turn/json.ts'
import { checkArguments } from '../check-arguments.ts'

/** What the action would get, or what the model would read. */
function check(input: JsonObject, args: JsonObject): unknown {
  const checked = checkArguments(
    stubTool('act', () => 'done', { input, isThirdParty: true }),
    args,
  )
  if (checked instanceof Promise) throw new Error('it waits')
  return 'value' in checked ? checked.value : checked.refusal.text
}

const field = (schema: unknown): JsonObject =>
  ({ type: 'object', properties: { a: schema }, additionalProperties: false }) as JsonObject

const REF = { $defs: { n: { type: 'number' }, list: { type: 'array', items: { $ref: '#/$defs/n' } } } }

describe('the arguments of an action of a third party', () => {
  it.each<[string, JsonObject, JsonObject, JsonObject]>([
    ['type', field({ type: ['string', 'null'] }), { a: null }, { a: true }],
    ['enum', field({ enum: ['x', { y: [1] }] }), { a: { y: [1] } }, { a: { y: [2] } }],
    ['const', field({ const: 3 }), { a: 3 }, { a: 4 }],
    ['minimum', field({ minimum: 1, exclusiveMaximum: 3 }), { a: 1 }, { a: 3 }],
    ['multipleOf', field({ multipleOf: 0.1 }), { a: 0.3 }, { a: 0.25 }],
    ['maxLength', field({ maxLength: 2, minLength: 1 }), { a: '😀😀' }, { a: '' }],
    ['pattern', field({ pattern: '^(a|b)+$' }), { a: 'ab' }, { a: 'abc' }],
    ['items', field({ items: { type: 'integer' }, maxItems: 2 }), { a: [1, 2] }, { a: [1, true] }],
    [
      'prefixItems',
      field({ prefixItems: [{ type: 'string' }], items: false }),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'items of older drafts',
      field({ items: [{ type: 'string' }], additionalItems: false }),
      { a: ['x'] },
      { a: ['x', 1] },
    ],
    [
      'uniqueItems',
      field({ uniqueItems: true }),
      { a: [1, '1', { b: 1 }] },
      {
        a: [
          { b: 1, c: 2 },
          { c: 2, b: 1 },
        ],
      },
    ],
    ['contains', field({ contains: { const: 1 }, maxContains: 1 }), { a: [1, 2] }, { a: [1, 1] }],
    ['required', field({ required: ['b'] }), { a: { b: 1 } }, { a: {} }],
    ['additionalProperties', field({}), { a: 1 }, { a: 1, b: 2 }],
    [
      'patternProperties',
      field({ patternProperties: { '^n_': { type: 'number' } } }),
      { a: { n_1: 1, b: 'x' } },
      { a: { n_1: true } },
    ],
    ['propertyNames', field({ propertyNames: { maxLength: 2 } }), { a: { ab: 1 } }, { a: { abc: 1 } }],
    ['minProperties', field({ minProperties: 1 }), { a: { b: 1 } }, { a: {} }],
    ['dependentRequired', field({ dependentRequired: { b: ['c'] } }), { a: { c: 1 } }, { a: { b: 1 } }],
    ['allOf', field({ allOf: [{ minimum: 1 }, { maximum: 2 }] }), { a: 2 }, { a: 3 }],
    ['anyOf', field({ anyOf: [{ type: 'string' }, { type: 'integer' }] }), { a: 6 }, { a: true }],
    ['oneOf', field({ oneOf: [{ minimum: 1 }, { minimum: 5 }] }), { a: 2 }, { a: 6 }],
    ['not', field({ not: { const: 1 } }), { a: 2 }, { a: 1 }],
    [
      'if',
      field(JSON.parse('{"if":{"type":"string"},"then":{"maxLength":1},"else":{"minimum":1}}')),
      { a: 1 },
      { a: 'xx' },
    ],
    ['$ref', { ...field({ $ref: '#/$defs/list' }), ...REF }, { a: [1] }, { a: ['x'] }],
    [
      '$anchor',
      { ...field({ $ref: '#n' }), $defs: { x: { $anchor: 'n', type: 'number' } } },
      { a: 1 },
      { a: 'x' },
    ],
    [
      '$id',
      {
        ...field({ $ref: 'https://a.example/n' }),
        $defs: { x: { $id: 'https://a.example/n', type: 'number' } },
      },
      { a: 1 },
      { a: 'x' },
    ],
    [
      'a schema that contains itself',
      { type: 'object', properties: { n: { type: 'number' }, next: { $ref: '#' } } },
      { next: { next: { n: 1 } } },
      { next: { next: { n: 'x' } } },
    ],
    [
      'a field named as an inherited one',
      { type: 'object', required: ['constructor'] },
      JSON.parse('{"constructor":1}'),
      {},
    ],
    [
      'a field named __proto__',
      JSON.parse('{"type":"object","properties":{"__proto__":{"type":"number"}}}'),
      JSON.parse('{"__proto__":1}'),
      JSON.parse('{"__proto__":"x"}'),
    ],
  ])('are checked by %s', (_, schema, good, bad) => {
    expect(check(schema, good)).toEqual(good)
    expect(check(schema, bad)).toContain('do not fit')
  })

  it('are repaired where only one meaning is possible', () => {
    const schema = field({ anyOf: [{ type: 'number' }, { type: 'null' }] })
    expect(check(schema, { a: '3' })).toEqual({ a: 3 })
    expect(check(field({ type: 'array' }), { a: '[1]' })).toEqual({ a: [1] })
  })

  it('do not change by a default, which is the business of the app', () => {
    const schema = { ...field({ type: 'string', default: 'to@elsewhere.example' }), required: ['a'] }
    const args = {}
    expect(check(schema, args)).toBe(args)
    expect(
      check(JSON.parse('{"type":"object","properties":{"b":{"default":{"__proto__":{"x":1}}}}}'), args),
    ).toBe(args)
    expect('x' in {}).toBe(false)
  })

  it.each<[string, unknown]>([
    ['a reference to another place', { $ref: 'http://127.0.0.1:9/schema.json' }],
    ['a reference to an inherited name', { $ref: '#/__proto__' }],
    ['a reference to a missing part', { $ref: '#/$defs/missing' }],
    ['references in a circle', { $ref: '#/properties/a' }],
    ['a pattern that refers back', { pattern: String.raw`^(a+)\1$` }],
    ['an invalid pattern', { patternProperties: { '(': {} } }],
    ['too many values', { enum: Array.from({ length: 20_000 }, (__, index) => index) }],
    ['a long text', { description: 'x'.repeat(10_000_000) }],
  ])('are refused with the reason when the schema has %s', (_, schema) => {
    expect(check(field(schema), { a: 'x' })).toMatch(
      /^The schema of "act" cannot be used, so it cannot be called: /,
    )
  })

  it('never meet the schema of another server that has the same $id', () => {
    const one = { ...field({ $ref: 'urn:x' }), $defs: { x: { $id: 'urn:x', type: 'number' } } }
    const other = { ...field({ $ref: 'urn:x' }), $defs: { x: { $id: 'urn:x', type: 'boolean' } } }
    expect([check(one, { a: 1 }), check(other, { a: true })]).toEqual([{ a: 1 }, { a: true }])
    expect(check(field({ $ref: 'urn:x' }), { a: 1 })).toContain('refers to something that is not part of it')
  })

  it('are refused when the check would take too long', () => {
    const schema = {
      type: 'object',
      $defs: {
        x: { anyOf: Array.from({ length: 20 }, () => ({ $ref: '#/$defs/y' })) },
        y: { allOf: [{ $ref: '#/$defs/x' }] },
      },
      allOf: [{ $ref: '#/$defs/x' }],
    } as unknown as JsonObject
    expect(check(schema, {})).toMatch(/could not be checked, so nothing was run: /)
  })
})
