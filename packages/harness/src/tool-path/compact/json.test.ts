import { describe, expect, it } from 'vitest'
import { jsonCompactor } from './json.ts'
import { facts, ordersJson } from './outputs.fixture.ts'

const short = (text: string, ok = true): string => jsonCompactor.shorten(text, facts({ ok }))
const read = (text: string): unknown => JSON.parse(text)

describe('JSON', () => {
  it('is recognised only when the whole text is JSON', () => {
    expect(jsonCompactor.recognises('  {"a": [1, 2]}\n', facts())).toBe(true)
    expect(jsonCompactor.recognises('{"a": 1}\n{"a": 2}', facts())).toBe(false)
    expect(jsonCompactor.recognises('{not json}', facts())).toBe(false)
    expect(jsonCompactor.recognises('"a string"', facts())).toBe(false)
  })

  it('loses its white space and nothing else', () => {
    const written = '{ "id" : 9007199254740993001,\n\t"price": 1.50, "b": "two  spaces \\" {", "id": 1e400 }'
    expect(jsonCompactor.tidy(written)).toBe(
      '{"id":9007199254740993001,"price":1.50,"b":"two  spaces \\" {","id":1e400}',
    )
  })

  it('that fits without white space is not cut', () => {
    const orders = ordersJson(60)
    expect(short(orders)).toBe(jsonCompactor.tidy(orders))
  })

  it('shows the first and last of a long list, with the number and kind of missing elements', () => {
    const shown = short(ordersJson(500))
    const list = read(shown) as unknown[]
    expect(list[0]).toMatchObject({ customer: 'Customer 0' })
    expect(list.at(-1)).toMatchObject({ customer: 'Customer 499' })
    expect(list).toContain('[… 444 left out of 500; keys: id, customer, total]')
    expect(shown.length).toBeLessThan(6_000)
    // As it was written, though no number can hold it.
    expect(shown).toContain('"id":900719925474099300,')
  })

  it('keeps the one element that reports an error, at any position', () => {
    const results = Array.from({ length: 400 }, (_, id) => ({
      id,
      error: id === 200 ? 'quota exceeded' : null,
    }))
    expect(short(JSON.stringify({ results }))).toContain('{"id":200,"error":"quota exceeded"}')
  })

  it('keeps the one element that looks different', () => {
    const rows = Array.from({ length: 500 }, (_, id) =>
      id === 300 ? { next_page: 'p2' } : { id, name: `row ${id}` },
    )
    expect(short(JSON.stringify(rows))).toContain('{"next_page":"p2"}')
  })

  it('cuts objects used as tables like lists, and stays an object', () => {
    const table = Object.fromEntries(
      Array.from({ length: 300 }, (_, day) => [`day ${day}`, { visits: day, sales: 2 * day, note: 'none' }]),
    )
    const shown = read(short(JSON.stringify(table))) as Record<string, unknown>
    expect(shown['day 0']).toEqual({ visits: 0, sales: 0, note: 'none' })
    expect(Object.values(shown)).toContain('[… 244 left out of 300; keys: visits, sales, note]')
  })

  it('keeps every field of a record of any size', () => {
    const record = Object.fromEntries(
      Array.from({ length: 90 }, (_, index) => [`field ${index}`, 'v'.repeat(200)]),
    )
    expect(Object.keys(read(short(JSON.stringify(record))) as object)).toHaveLength(90)
  })

  it('keeps one long string while it fits, and clips it otherwise', () => {
    const letter = (length: number) => JSON.stringify({ from: 'ana', body: 'é'.repeat(length) })
    expect(short(letter(5_000))).toBe(letter(5_000))
    expect(read(short(letter(20_000)))).toEqual({
      from: 'ana',
      body: `${'é'.repeat(4_000)}[… 16000 more characters]`,
    })
  })

  it('never cuts a character in two', () => {
    const shown = short(JSON.stringify(Array.from({ length: 20 }, () => '😀'.repeat(2_000))))
    expect(shown.isWellFormed()).toBe(true)
    expect(read(shown)).toContain(`${'😀'.repeat(150)}[… 3700 more characters]`)
  })

  it('of a failure has twice the budget', () => {
    expect(short(ordersJson(150), false).length).toBeGreaterThan(short(ordersJson(150)).length)
  })

  it('may be nested to any depth', () => {
    const deep = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`
    expect(short(deep)).toBe(deep)
  })
})
