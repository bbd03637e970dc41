import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { z } from 'zod'
import { stubTool } from '../testing/index.ts'
import type { JsonObject } from '../turn/json.ts'
import type { Tool } from '../turn/tool/tool.ts'
import { checkArguments } from './check-arguments.ts'

const object = (properties: JsonObject, required: string[] = []): JsonObject => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
})

/** What the tool would get, or what the model would read. */
async function check(input: Tool['input'], args: JsonObject): Promise<unknown> {
  const checked = await checkArguments(
    stubTool('book', () => 'booked', { input }),
    args,
  )
  return 'value' in checked ? checked.value : checked.refusal.text
}

describe('valid arguments', () => {
  it('arrive as they were sent', async () => {
    const schema = object({ to: { type: 'string' }, n: { type: 'integer' }, tags: { type: 'array' } }, ['to'])
    const args = { to: 'ada', n: 3, tags: ['a', { b: null }] }
    expect(await check(schema, args)).toEqual(args)
  })

  it('get missing defaults in a copy', async () => {
    const schema = object({ unit: { type: 'string', default: 'metre' }, deep: object({ n: { default: 1 } }) })
    const args = { deep: {} }
    expect(await check(schema, args)).toEqual({ unit: 'metre', deep: { n: 1 } })
    expect(args).toEqual({ deep: {} })
  })

  it('are checked by any Standard Schema, and arrive as it returned them', async () => {
    const schema = z.object({
      when: z.string().transform((day) => `${day}T00:00Z`),
      seats: z.number().default(2),
    })
    expect(await check(schema, { when: '2026-03-02' })).toEqual({ when: '2026-03-02T00:00Z', seats: 2 })
  })

  it('are checked by an async schema', async () => {
    const schema = z.object({ name: z.string().refine(async (name) => name !== 'taken', 'is taken') })
    expect(await check(schema, { name: 'free' })).toEqual({ name: 'free' })
    expect(await check(schema, { name: 'taken' })).toContain('name: is taken')
  })
})

describe('arguments with one certain repair', () => {
  it.each([
    ['a number written as text', { type: 'number' }, '4.5', 4.5],
    ['a negative one', { type: 'integer' }, '-12', -12],
    ['a truth written as text', { type: 'boolean' }, 'true', true],
    ['a number where text belongs', { type: 'string' }, 42, '42'],
    ['a list written as JSON', { type: 'array', items: { type: 'string' } }, '["a","b"]', ['a', 'b']],
    ['an object written as JSON', { type: 'object' }, '{"a":1}', { a: 1 }],
    ['one of several types', { type: ['integer', 'null'] }, '7', 7],
    ['one branch of several', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, 'false', false],
  ])('are repaired: %s', async (_what, property, sent, expected) => {
    expect(await check(object({ x: property }, ['x']), { x: sent })).toEqual({ x: expected })
  })

  it.each([
    ['{"__proto__": "5"}', 5],
    ['{"__proto__": null}', undefined],
  ])('are repaired under any name, in a copy: %s', async (sent, expected) => {
    const schema = { type: 'object', additionalProperties: { type: 'number' } }
    const checked = await check(schema, JSON.parse(sent) as JsonObject)
    expect(Object.getOwnPropertyDescriptor(checked, '__proto__')?.value).toBe(expected)
    expect(Object.getPrototypeOf(checked)).toBe(Object.prototype)
  })

  it('are repaired deep inside, too', async () => {
    const schema = object({ list: { type: 'array', items: object({ n: { type: 'integer' } }, ['n']) } })
    expect(await check(schema, { list: [{ n: 1 }, { n: '2' }] })).toEqual({ list: [{ n: 1 }, { n: 2 }] })
  })

  it('are repaired when an optional one is null, as some models send it', async () => {
    const schema = object({ to: { type: 'string' }, limit: { type: 'integer', default: 10 } }, ['to'])
    expect(await check(schema, { to: 'ada', limit: null })).toEqual({ to: 'ada', limit: 10 })
  })

  it('are repaired for a Standard Schema in the same way', async () => {
    const schema = z.object({ seats: z.number(), vip: z.boolean().optional() })
    expect(await check(schema, { seats: '4', vip: null })).toEqual({ seats: 4 })
  })
})

describe('arguments without a certain repair', () => {
  it.each([
    ['nothing is not zero', { type: 'number' }, null],
    ['nothing is not an empty text', { type: 'string' }, null],
    ['nothing is not no', { type: 'boolean' }, null],
    ['yes is not one', { type: 'integer' }, true],
    ['one is not yes', { type: 'boolean' }, 1],
    ['a word is not yes', { type: 'boolean' }, 'yes please'],
    ['an empty text is not zero', { type: 'integer' }, ''],
    ['a hexadecimal is not a number here', { type: 'integer' }, '0x10'],
    ['half a thing is not a whole', { type: 'integer' }, '1.5'],
    ['a list is not its only member', { type: 'string' }, ['a']],
    ['an object is not a text', { type: 'string' }, { a: 1 }],
  ])('are refused: %s', async (_why, property, sent) => {
    const answer = await check(object({ x: property }, ['x']), { x: sent })
    expect(answer).toMatch(/^The arguments of "book" do not fit: /)
    expect(answer).toContain('Nothing was run.')
  })
})

describe('a refusal of arguments', () => {
  it('names each problem and shows the expected shape', async () => {
    const schema = object({ to: { type: 'string' }, n: { type: 'integer', maximum: 5 } }, ['to'])
    const answer = await check(schema, { n: 9, colour: 'red' })
    expect(answer).toContain("must have required property 'to'")
    expect(answer).toContain('n must be <= 5')
    expect(answer).toContain('colour')
    expect(answer).toContain(JSON.stringify(schema))
  })

  it('names the field of a Standard Schema by its path', async () => {
    const schema = z.object({ guests: z.array(z.object({ name: z.string().min(1) })) })
    const answer = await check(schema, { guests: [{ name: 'ada' }, { name: '' }] })
    expect(answer).toContain('guests.1.name: ')
    expect(answer).toContain('"guests"')
  })

  it('has the class bad_input', async () => {
    const checked = await checkArguments(stubTool('book', undefined, { input: object({}, ['to']) }), {})
    expect(checked).toMatchObject({ refusal: { ok: false, errorCode: 'invalid_arguments' } })
  })

  it('stays short for a large schema', async () => {
    const properties = Object.fromEntries(
      Array.from({ length: 500 }, (_, n) => [`field_${n}`, { type: 'string' }]),
    )
    const answer = await check(object(properties, Object.keys(properties)), {})
    expect(String(answer).length).toBeLessThan(3_000)
  })
})

describe('a schema that throws', () => {
  it('gives a failed result', async () => {
    expect(await check({ type: 'object', properties: { x: { type: 'no-such-type' } } }, {})).toContain(
      'broken',
    )
  })

  it('while it validates gives a failed result', async () => {
    const schema = z.object({
      x: z.string().transform(() => {
        throw new Error('oops')
      }),
    })
    expect(await check(schema, { x: 'a' })).toContain('could not be checked')
  })

  it('does not affect another schema with the same $id', async () => {
    const one = { $id: 'urn:same', ...object({ a: { type: 'string' } }, ['a']) }
    const two = { $id: 'urn:same', ...object({ b: { type: 'string' } }, ['b']) }
    expect(await check(one, { a: 'x' })).toEqual({ a: 'x' })
    expect(await check(two, { b: 'x' })).toEqual({ b: 'x' })
  })

  it('may be of an older draft', async () => {
    const schema = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      ...object({ a: { type: 'string' } }),
    }
    expect(await check(schema, { a: 'x' })).toEqual({ a: 'x' })
  })
})

describe('hostile arguments', () => {
  it('cannot reach a prototype', async () => {
    const args = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": {"p": 1}}}')
    await check({ type: 'object' }, args)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
    expect(Object.prototype).not.toHaveProperty('p')
  })

  it('stay equal to what was sent, for any JSON', async () => {
    const json = fc.dictionary(fc.string(), fc.jsonValue())
    await fc.assert(
      fc.asyncProperty(json, async (args) => {
        const sent = JSON.parse(JSON.stringify(args)) as JsonObject
        expect(JSON.stringify(await check({ type: 'object' }, sent))).toBe(JSON.stringify(sent))
      }),
    )
  })
})
