import { expect, it } from 'vitest'
import { createSurface } from '../../../turn/tool/surface.ts'
import { LIBRARY_TOOLS } from './library-tools.fixture.ts'
import { nativeParser } from '../native-parser.ts'
import { pformatParser } from '../pformat-parser.ts'
import { replyOf, replyWithCalls } from './reply.fixture.ts'
import { xmlParser } from '../xml-parser.ts'

const surface = createSurface(LIBRARY_TOOLS)
const MEGABYTE = 1_000_000
const NOW = '{"name":"now","arguments":{}}'

const fill = (scrap: string, length: number) => scrap.repeat(Math.ceil(length / scrap.length))

/** Texts on which a naive parser needs quadratic time. */
const PATHOLOGICAL: Readonly<Record<string, (length: number) => string>> = {
  'angle brackets': (length) => fill('<', length),
  'open tags': (length) => fill('<tool_call>', length),
  'open tags with text': (length) => fill('<tool_call>x', length),
  'open tags that are cut': (length) => fill('<tool_call ', length),
  'open tags with a bracket': (length) => fill('<tool_call>{', length),
  'unclosed calls': (length) => fill(`<tool_call>${NOW}\n`, length),
  'a tag full of space': (length) => `<tool_call${fill(' ', length)}`,
  'space in a call': (length) => `<tool_call>${fill(' ', length)}x`,
  'named tags': (length) => fill('<invoke name="now">', length),
  'unclosed parameters': (length) => `<invoke name="now">${fill('<parameter name="a">', length)}`,
  'entities in a parameter': (length) =>
    `<invoke name="now"><parameter name="a">${fill('&amp;', length)}</parameter></invoke>`,
  wrappers: (length) => fill('<tool_calls>', length),
  'close tags in a string': (length) => `<tool_call>{"a":"${fill('</tool_call>', length)}"}</tool_call>`,
  backticks: (length) => fill('`', length),
  'single backticks': (length) => fill('` ', length),
  'labelled fences': (length) => fill('```tool_call\n', length),
  'pasted results': (length) => fill('<tool_result></tool_result>', length),
  'calls in doubt': (length) =>
    `<tool_result></tool_result>${fill(`<tool_call>${NOW}</tool_call></tool_result>`, length)}`,
  comments: (length) => fill('<!--', length),
  brackets: (length) => fill('{', length),
  keys: (length) => fill('{"a":', length),
  'positional calls': (length) => fill('<tool_call>find_books[', length),
  escapes: (length) => `<tool_call>find_books[${fill('\\|', length)}]</tool_call>`,
  'one key again and again': (length) =>
    `<tool_call>{"name":"now","arguments":{${fill('"a":1,', length)}}}</tool_call>`,
}

// A quadratic parser would take minutes; the limit allows for a busy machine.
const LIMIT_MS = 30_000

it.each(Object.entries(PATHOLOGICAL))(
  'a text parser reads a megabyte of %s',
  { timeout: LIMIT_MS },
  (_, make) => {
    const text = make(MEGABYTE)
    const read = pformatParser.parse(replyOf(text), surface)
    // Compares lengths, because a diff of two such texts is unreadable.
    if (read.calls.length === 0) expect(read.text.length).toBe(text.trim().length)
    else expect(read.text.includes('"name"')).toBe(false)
  },
)

it.each(Object.entries(PATHOLOGICAL))(
  'a display filter shows %s streamed in small pieces',
  { timeout: LIMIT_MS },
  (_, make) => {
    const text = make(100_000)
    const filter = xmlParser.openDisplay?.(surface)
    let shown = ''
    for (let at = 0; at < text.length; at += 11) shown += filter?.push(text.slice(at, at + 11)) ?? ''
    shown += filter?.end() ?? ''
    expect(shown.trim() === xmlParser.parse(replyOf(text), surface).text).toBe(true)
  },
)

function nested(levels: number): string {
  return `{"a":${'['.repeat(levels)}1${']'.repeat(levels)}}`
}

it('the native parser reads arguments a hundred levels deep', () => {
  const reply = replyWithCalls('', { id: 'c1', tool: 'now', argumentsText: nested(100) })
  expect(nativeParser.parse(reply, surface).calls[0]).toEqual({
    id: 'c1',
    tool: 'now',
    arguments: JSON.parse(nested(100)),
  })
})

it('the native parser reports arguments that are nested too deep', () => {
  const reply = replyWithCalls('', { id: 'c1', tool: 'now', argumentsText: nested(10_000) })
  expect(nativeParser.parse(reply, surface).calls[0]).toMatchObject({
    arguments: {},
    malformed: { problem: 'The arguments are nested more than 200 levels deep.' },
  })
})

it('a text parser keeps the key __proto__ as data', () => {
  const text = '<invoke name="now"><parameter name="__proto__">{"admin":true}</parameter></invoke>'
  const args = xmlParser.parse(replyOf(text), surface).calls[0]?.arguments ?? {}
  expect(Object.getPrototypeOf(args)).toBe(Object.prototype)
  expect(Object.keys(args)).toEqual(['__proto__'])
})
