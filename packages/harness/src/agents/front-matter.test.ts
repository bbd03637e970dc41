import { describe, expect, it } from 'vitest'
import { parseFrontMatter } from './front-matter.ts'

const read = (...lines: string[]) => parseFrontMatter(['---', ...lines, '---', 'Body.'].join('\n'))
const valueOf = (line: string) => read(line).fields.get('key')?.value

describe('front matter', () => {
  it.each<[string, string | readonly string[]]>([
    ['key: value', 'value'],
    ['key:   two words  ', 'two words'],
    ['key : value', 'value'],
    ['key: value # a comment', 'value'],
    ['key: a#b', 'a#b'],
    ['key: http://example.org/a?b=c', 'http://example.org/a?b=c'],
    ['key: it’s 50 % done, mostly', 'it’s 50 % done, mostly'],
    ['key: "quoted: # \\"text\\" \\u00e9" # comment', 'quoted: # "text" é'],
    ["key: 'it''s \\n: so'", "it's \\n: so"],
    ['key: ""', ''],
    ['key: 10', '10'],
    ['key: true', 'true'],
    ['key: []', []],
    ['key: [a, "b, c", \'d]\'] # comment', ['a', 'b, c', 'd]']],
    ['key: [ a,b, ]', ['a', 'b']],
  ])('reads %s', (line, value) => {
    expect(read(line)).toMatchObject({ problems: [], body: 'Body.' })
    expect(valueOf(line)).toEqual(value)
  })

  it('reads lists with one item per line, indented or not, with comments and blank lines between', () => {
    const { fields, problems } = read(
      'a:',
      '- one',
      '',
      '# no',
      '- "two: 2"',
      'b: # these',
      '  - three',
      'c: d',
    )
    expect(problems).toEqual([])
    expect([...fields].map(([key, { value, line }]) => [key, value, line])).toEqual([
      ['a', ['one', 'two: 2'], 2],
      ['b', ['three'], 7],
      ['c', 'd', 9],
    ])
  })

  it('ends at the second --- line and accepts any line endings', () => {
    const { fields, body } = parseFrontMatter('\ufeff---\r\na: b\r\n--- \r\nOne.\r\n---\r\nTwo.')
    expect(fields.get('a')?.value).toBe('b')
    expect(body).toBe('One.\n---\nTwo.')
  })

  it.each([
    ['key: |', 'several lines'],
    ['key: >-', 'several lines'],
    ['key: *all', 'cannot begin with "*"'],
    ['key: &a b', 'cannot begin with "&"'],
    ['key: !!str b', 'cannot begin with "!"'],
    ['key: {a: b}', 'cannot begin with "{"'],
    ['key: @me', 'cannot begin with "@"'],
    ['key: a: b', 'must stand in quotation marks'],
    ['key: "a', 'closing quotation mark'],
    ["key: 'a", 'closing quotation mark'],
    ['key: "a" b', 'more behind'],
    ['key: "\\q"', 'begins no character'],
    ['key: [a, b', '"]" is missing'],
    ['key: [a] b', 'more behind the list'],
    ['key: ["a" "b"]', 'comma is missing'],
    ['key: [[a]]', 'cannot begin with "["'],
    ['key: [a,,b]', 'no value'],
    ['key: null', 'no value'],
    ['key:', 'has no value'],
    ['key:value', 'space is missing'],
    ['  key: value', 'indented'],
    ['\tkey: value', 'tab'],
    ['- item', 'belongs to no list'],
    ['just words', 'not "key: value"'],
    ['<<: x', 'not "key: value"'],
  ])('reports a problem for %s', (line, problem) => {
    const { problems } = read('first: ok', line)
    expect(problems).toEqual([{ line: 3, problem: expect.stringContaining(problem) }])
  })

  it('reports a repeated key on the line where it repeats', () => {
    expect(read('a: b', 'c: d', 'a: e').problems).toEqual([{ line: 4, problem: '"a" is there twice' }])
  })

  it('reports every problem, not only the first', () => {
    expect(read('a: |', 'b: c', 'd: *e').problems.map(({ line }) => line)).toEqual([2, 4])
  })

  it.each([
    ['', 'begin the file with'],
    ['Just text.', 'begin the file with'],
    ['---\na: b', 'ends the front matter is missing'],
  ])('reports a file without front matter: %s', (text, problem) => {
    expect(parseFrontMatter(text).problems).toEqual([{ line: 1, problem: expect.stringContaining(problem) }])
  })

  it('accepts keys like toString as ordinary keys, and reports __proto__', () => {
    const { fields, problems } = read('constructor: a', 'toString: b')
    expect(problems).toEqual([])
    expect(fields.size).toBe(2)
    expect(read('__proto__: c').problems).toHaveLength(1)
  })

  it('is parsed quickly for any input', () => {
    for (const hostile of ['"', "'", '\\', ' #', ',', '[', 'a ', '- ', ': ', '"\\']) {
      const began = performance.now()
      read(`key: ${hostile.repeat(30_000)}`)
      read(`key: [${hostile.repeat(30_000)}`)
      read(...Array.from({ length: 2_000 }, (_, n) => `k${n}: ${hostile}`))
      expect(performance.now() - began, hostile).toBeLessThan(1_500)
    }
  })
})
