import { array, assert, constantFrom, integer, oneof, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createSurface } from '../../../turn/tool/surface.ts'
import type { DisplayFilter, ResponseParser } from '../../seams.ts'
import { LIBRARY_TOOLS } from './library-tools.fixture.ts'
import { pformatParser } from '../pformat-parser.ts'
import { QUIET_REPLIES } from './quiet-replies.fixture.ts'
import { replyOf } from './reply.fixture.ts'
import { RUNNING_REPLIES } from './running-replies.fixture.ts'
import { xmlParser } from '../xml-parser.ts'

const surface = createSurface(LIBRARY_TOOLS)

function open(parser: ResponseParser): DisplayFilter {
  const filter = parser.openDisplay?.(surface)
  if (!filter) throw new Error('a text dialect has a display filter')
  return filter
}

/** The text shown when the reply is streamed in these pieces. */
function stream(parser: ResponseParser, pieces: readonly string[]): string {
  const filter = open(parser)
  return pieces.map((piece) => filter.push(piece)).join('') + filter.end()
}

function cut(text: string, lengths: readonly number[]): readonly string[] {
  const pieces: string[] = []
  let at = 0
  for (const length of lengths) {
    pieces.push(text.slice(at, at + length))
    at += length
  }
  return [...pieces, text.slice(at)]
}

const NOW = '{"name":"now","arguments":{}}'
const SCRAPS = [
  '<tool_call> </tool_call> <toolcall> </invoke> <tool_ca <tool_calls> </tool_calls> </parameter>',
  '<tool_result> </tool_result> <!-- --> <![CDATA[ ]]> <pre> </pre> <b> < > / </ <! word É “ ” „',
  '{ } [ ] " \' \\ : , now[] now[ | lend_book[3|no| ` `` ``` ~~~ > - 1. # {"content":"hi","tool_calls":[ ]}',
]
  .flatMap((scraps) => scraps.split(' '))
  .concat(
    '\n',
    '\n\n',
    '\r\n',
    ' ',
    '    ',
    '\t',
    '```\n',
    '```tool_call\n',
    '```xml\n',
    '~~~\n',
    '> ',
    '- ',
    '1. ',
  )
  .concat(NOW, '{"name":"now"', '<invoke name="now">', '<invoke name="now"/>', '<parameter name="a">')
  .concat(`<tool_call>${NOW}</tool_call>`, `\`\`\`invoke\n${NOW}\n\`\`\`\n`, '<tool_call>now[]</tool_call>')
const anyReply = array(
  oneof({ weight: 6, arbitrary: constantFrom(...SCRAPS) }, { weight: 1, arbitrary: string() }),
  {
    maxLength: 24,
  },
).map((scraps) => scraps.join(''))
const anyCut = array(integer({ min: 1, max: 9 }), { maxLength: 60 })

describe.each([xmlParser, pformatParser])('the display filter of $dialect', (parser) => {
  const replies = [...RUNNING_REPLIES, ...QUIET_REPLIES].map(({ reply }) => reply)

  it('shows the same text as parse for every fixture reply and piece size', () => {
    for (const reply of replies) {
      const { text } = parser.parse(replyOf(reply), surface)
      for (const size of [1, 2, 3, 5, 8, 13, reply.length]) {
        const pieces = cut(
          reply,
          Array.from({ length: Math.floor(reply.length / size) }, () => size),
        )
        expect(stream(parser, pieces).trim()).toBe(text)
      }
    }
  })

  it('shows the same text as parse for random replies and pieces', () => {
    assert(
      property(anyReply, anyCut, (reply, lengths) => {
        expect(stream(parser, cut(reply, lengths)).trim()).toBe(parser.parse(replyOf(reply), surface).text)
      }),
      { numRuns: 2_000 },
    )
  })

  it('never reads a call inside a code block', () => {
    assert(
      property(anyReply, (reply) => {
        const quoted = `Look:\n\n${'`'.repeat(40)}\n${reply}\n${'`'.repeat(40)}\n`
        expect(parser.parse(replyOf(quoted), surface)).toEqual({ text: quoted.trim(), calls: [] })
      }),
    )
  })

  it('never reads a call inside a pasted result', () => {
    assert(
      property(anyReply, (reply) => {
        const quoted = `<tool_result name="now">\n${reply}\n</tool_result>`
        expect(parser.parse(replyOf(quoted), surface)).toEqual({ text: quoted, calls: [] })
      }),
    )
  })

  it('shows the whole reply when it has no calls', () => {
    assert(
      property(anyReply, (reply) => {
        const { text, calls } = parser.parse(replyOf(reply), surface)
        if (calls.length === 0) expect(text).toBe(reply.trim())
      }),
    )
  })
})

describe('while a reply is streamed,', () => {
  const firstShown = (pieces: readonly string[]) => {
    const filter = open(xmlParser)
    return pieces.map((piece) => filter.push(piece))
  }

  it('ordinary text is shown at once', () => {
    const pieces = [
      'Emma ',
      'is *out*, ',
      'see [this](x)\n',
      '- a list\n',
      '> a quote\n',
      '`code` ',
      '"quotes"',
      ' x > y',
    ]
    expect(firstShown(pieces)).toEqual(pieces)
  })

  it('a < is held back only until it cannot begin a tag', () => {
    expect(firstShown(['if a <', ' b, or <b', '>bold</b> <to', 'day>', '<tool', '_kit>'])).toEqual([
      'if a ',
      '< b, or ',
      '<b>bold</b> ',
      '<today>',
      '',
      '<tool_kit>',
    ])
  })

  it('a code block is shown at once, except for its opening line', () => {
    expect(firstShown(['```', 'ts\n', 'const a', ' = 1 < 2\n', '```\n', 'done'])).toEqual([
      '',
      '```ts\n',
      'const a',
      ' = 1 < 2\n',
      '```\n',
      'done',
    ])
  })

  it('quoted calls are shown at once', () => {
    expect(firstShown(['`<tool_call>', NOW, '</tool_call>`'])).toEqual(['`<tool_call>', NOW, '</tool_call>`'])
  })

  it('a call is never shown, and the text after it is', () => {
    expect(firstShown(['Ok.\n<tool', '_call>{"name":', '"now"}</tool_call', '>', 'Next.'])).toEqual([
      'Ok.\n',
      '',
      '',
      '',
      'Next.',
    ])
  })

  it('text that looked like a call is shown once it is certain not to be one', () => {
    const filter = open(xmlParser)
    expect(filter.push('<tool_call>{"name":"no')).toBe('')
    expect(filter.end()).toBe('<tool_call>{"name":"no')
  })

  it('JSON at the start is held back until it is certain not to be a call', () => {
    expect(firstShown(['[a link](', 'x) '])).toEqual(['[a link](', 'x) '])
    expect(firstShown(['{"title":', '"Emma"}', ' is the ', 'book'])).toEqual([
      '',
      '',
      '{"title":"Emma"} is the ',
      'book',
    ])
  })

  it('a call of any name is hidden when there is no surface', () => {
    const filter = pformatParser.openDisplay?.()
    expect(filter?.push('Hm. <tool_call>fly[north]</tool_call>')).toBe('Hm. ')
  })
})
