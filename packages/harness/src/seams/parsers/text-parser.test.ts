import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createSurface } from '../../turn/tool/surface.ts'
import { defineTool } from '../../turn/tool/tool.ts'
import { LIBRARY_TOOLS } from './scenarios/library-tools.fixture.ts'
import { pformatParser } from './pformat-parser.ts'
import { replyOf } from './scenarios/reply.fixture.ts'
import { xmlParser } from './xml-parser.ts'

const surface = createSurface(LIBRARY_TOOLS)
const callsIn = (text: string, parser = xmlParser) => parser.parse(replyOf(text), surface).calls

describe('a text parser reports an unreadable call under its name and hides it:', () => {
  it.each([
    ['brackets that do not match', '{"name":"now","arguments":{}', 'its brackets or quotes do not match'],
    ['JSON that is none', '{"name":"now","arguments":}', 'The call is not valid JSON'],
    ['arguments that are a list', '{"name":"now","arguments":[1]}', 'must be a JSON object, not a list'],
    ['arguments that are text', '{"name":"now","arguments":"soon"}', 'The arguments are not valid JSON'],
    ['a key with two values', '{"name":"now","arguments":{"a":1,"a":2}}', 'has the key "a" twice'],
    [
      'arguments beside the name',
      '{"name":"now","zone":"UTC"}',
      'no "arguments", but "zone" beside its name',
    ],
    ['a call and an object behind it', '{"name":"now","arguments":{}}{"zone":"UTC"}', 'one object per tag'],
    ['a name and a name behind it', '{"name":"now"}{"name":"Ada"}', 'one object per tag'],
    ['a bracket closed too early', '{"name":"now","arguments":{}},"a":1}', 'goes on behind its last bracket'],
  ])('%s', (_, body, problem) => {
    const { text, calls } = xmlParser.parse(replyOf(`Hm.\n<tool_call>${body}</tool_call>`), surface)
    expect(text).toBe('Hm.')
    expect(calls).toEqual([
      {
        tool: 'now',
        arguments: {},
        malformed: { raw: expect.any(String), problem: expect.stringContaining(problem) },
      },
    ])
  })

  it('two objects in a tag that names the tool', () => {
    const [call, ...more] = callsIn('<invoke name="now">{"zone":"UTC"}{"zone":"CET"}</invoke>')
    expect(call).toMatchObject({
      tool: 'now',
      malformed: { problem: expect.stringContaining('one object per tag') },
    })
    expect(more).toEqual([])
  })

  it('but not two whole calls: those are two', () => {
    const body = '{"name":"now","arguments":{}}{"name":"lend_book","arguments":{"id":3}}'
    expect(callsIn(`<tool_call>${body}</tool_call>`)).toMatchObject([
      { tool: 'now', arguments: {} },
      { tool: 'lend_book', arguments: { id: 3 } },
    ])
  })

  it('parameters with text between them', () => {
    const body = '<parameter name="a">1</parameter> and <parameter name="b">2</parameter>'
    expect(callsIn(`<invoke name="now">${body}</invoke>`)[0]?.malformed?.problem).toBe(
      'There is text between the parameters.',
    )
  })

  it.each([
    ['cut in a string', xmlParser, '<tool_call>{"name":"lend_book","arguments":{"id":"4'],
    ['cut before its last bracket', xmlParser, '<tool_call>{"name":"lend_book","arguments":{"id":4}'],
    ['cut by position', pformatParser, '<tool_call>lend_book[3|no'],
  ])('a call %s', (_, parser, cut) => {
    const { text, calls } = parser.parse(replyOf(`Hm.\n${cut}`), surface)
    expect(text).toBe('Hm.')
    expect(calls).toMatchObject([
      { tool: 'lend_book', arguments: {}, malformed: { problem: expect.stringContaining('ended before') } },
    ])
  })

  it('a positional call of an unknown tool', () => {
    const calls = callsIn('<tool_call>fly[north]</tool_call>', pformatParser)
    expect(calls).toMatchObject([{ tool: 'fly', arguments: {}, malformed: { raw: 'fly[north]' } }])
  })

  it('a positional call that does not end', () => {
    const [call] = callsIn('<tool_call>lend_book[3|no</tool_call>', pformatParser)
    expect(call).toMatchObject({ tool: 'lend_book', arguments: {}, malformed: { raw: 'lend_book[3|no' } })
  })
})

it('a text parser runs the readable call of a tag and reports the other', () => {
  const calls = callsIn('<tool_call>{"name":"now"}{"name":"fly","arguments":7}</tool_call>')
  expect(calls.map(({ tool, malformed }) => [tool, malformed !== undefined])).toEqual([
    ['now', false],
    ['fly', true],
  ])
})

it('a text parser reads a positional call of an announced tool', () => {
  const late = defineTool({
    name: 'late',
    description: '',
    input: { properties: { n: { type: 'number' } } },
    run: () => '',
  })
  const announced = { ...surface, resolve: () => ({ name: 'late', arguments: {}, tool: late }) }
  expect(pformatParser.parse(replyOf('<tool_call>late[2.5]</tool_call>'), announced).calls).toEqual([
    { tool: 'late', arguments: { n: 2.5 } },
  ])
})

describe('a positional value', () => {
  const typed = createSurface([
    defineTool({
      name: 'typed',
      description: '',
      input: {
        type: 'object',
        properties: {
          a: { type: 'integer' },
          b: { type: 'number' },
          c: { type: 'boolean' },
          d: { type: ['null', 'integer'] },
          e: { type: 'array' },
          f: {},
          B: { type: 'string' },
        },
      },
      run: () => '',
    }),
  ])
  const read = (inside: string) =>
    pformatParser.parse(replyOf(`<tool_call>typed[${inside}]</tool_call>`), typed).calls[0]?.arguments

  it('gets its type from the schema, in the alphabetical order of the names', () => {
    expect(read('x|7|1.5|YES|8|[1]|9')).toEqual({ B: 'x', a: 7, b: 1.5, c: true, d: 8, e: '[1]', f: '9' })
    expect(read('x|-7|.5e1|False|+8')).toEqual({ B: 'x', a: -7, b: 5, c: false, d: 8 })
  })

  it('stays a string when it does not parse as its type', () => {
    expect(read('x|7.5|many|maybe|')).toEqual({ B: 'x', a: '7.5', b: 'many', c: 'maybe', d: '' })
    expect(read('x|12345678901234567890|1e999')).toEqual({ B: 'x', a: '12345678901234567890', b: '1e999' })
  })

  it('is empty between two bars and absent after the last', () => {
    expect(read('||2')).toEqual({ B: '', a: '', b: 2 })
    expect(read('')).toEqual({})
  })

  it('beyond the last parameter is dropped', () => {
    expect(read('x|1|2|0|4|5|6|7|8')).toEqual({ B: 'x', a: 1, b: 2, c: false, d: 4, e: '5', f: '6' })
  })

  it('keeps the space around a string and ignores it around a number', () => {
    expect(read(' x | 7 ')).toEqual({ B: ' x ', a: 7 })
  })

  it('gets its position from any schema that describes itself', () => {
    const tool = defineTool({
      name: 'zod',
      description: '',
      input: z.object({ b: z.number(), a: z.boolean() }),
      run: () => '',
    })
    const { calls } = pformatParser.parse(replyOf('<tool_call>zod[no|3]</tool_call>'), createSurface([tool]))
    expect(calls).toEqual([{ tool: 'zod', arguments: { a: false, b: 3 } }])
  })
})

describe('the instructions', () => {
  it('are empty when there are no tools', () => {
    expect(xmlParser.instructions([])).toBe('')
    expect(pformatParser.instructions([])).toBe('')
  })

  it('are the same bytes for the same tools', () => {
    for (const parser of [xmlParser, pformatParser]) {
      expect(parser.instructions([...LIBRARY_TOOLS])).toBe(parser.instructions(LIBRARY_TOOLS))
    }
  })

  it('state where results come from and that a tag holds one call', () => {
    for (const parser of [xmlParser, pformatParser]) {
      expect(parser.instructions(LIBRARY_TOOLS)).toContain('headed "Tool results"')
      expect(parser.instructions(LIBRARY_TOOLS)).toContain('One call per tag.')
    }
  })

  it('for xml list each tool with its description and JSON Schema', () => {
    const text = xmlParser.instructions(LIBRARY_TOOLS)
    for (const { name, description, input } of LIBRARY_TOOLS) {
      expect(text).toContain(`### ${name}\n${description}\nArguments (JSON Schema): ${JSON.stringify(input)}`)
    }
  })

  it('for pformat list each tool with its signature, types and required parameters', () => {
    const media = defineTool({
      name: 'move-box',
      description: 'Moves\n  a box.',
      input: {
        properties: {
          to: { type: 'string', enum: ['left', 'right'], description: 'Which way.' },
          books: { type: 'array' },
        },
        required: ['to'],
      },
      run: () => '',
    })
    const text = pformatParser.instructions([...LIBRARY_TOOLS, media])
    expect(text).toContain(
      'find_books[limit|query]\nDoes find_books.\n- limit (integer)\n- query (string, required)',
    )
    expect(text).toContain('now[]\nDoes now.')
    expect(text).toContain(
      'move-box\nMoves a box.\n- books (array, JSON form only)\n- to (string, required, one of left / right): Which way.',
    )
  })

  it('contain only examples that the parser of the dialect runs', () => {
    for (const parser of [xmlParser, pformatParser]) {
      const taught = parser.instructions(LIBRARY_TOOLS).match(/<tool_call>.*<\/tool_call>/g) ?? []
      const taughtTool = defineTool({
        name: 'tool_name',
        description: '',
        input: { properties: { a: {}, b: {} } },
        run: () => '',
      })
      for (const example of taught) {
        const { calls } = parser.parse(replyOf(example), createSurface([taughtTool]))
        expect(calls).toEqual([{ tool: 'tool_name', arguments: expect.anything() }])
      }
      expect(taught.length).toBeGreaterThan(0)
    }
  })
})
