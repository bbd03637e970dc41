import { expect, it } from 'vitest'
import { createSurface } from '../../turn/tool/surface.ts'
import { LIBRARY_TOOLS } from './scenarios/library-tools.fixture.ts'
import { nativeParser } from './native-parser.ts'
import { replyOf, replyWithCalls } from './scenarios/reply.fixture.ts'

const surface = createSurface(LIBRARY_TOOLS)

it('the native parser reads calls as the provider delivers them, with ids and extras', () => {
  const extras = { google: { thoughtSignature: 's' } }
  const reply = replyWithCalls(
    'One moment. ',
    { id: 'c1', tool: 'find_books', argumentsText: '{"query":"Emma"}', extras },
    { id: 'c2', tool: 'now', argumentsText: '' },
  )
  expect(nativeParser.parse(reply, surface)).toEqual({
    text: 'One moment. ',
    calls: [
      { id: 'c1', tool: 'find_books', arguments: { query: 'Emma' }, extras },
      { id: 'c2', tool: 'now', arguments: {} },
    ],
  })
})

it('the native parser reports unreadable arguments and keeps the other calls', () => {
  const reply = replyWithCalls(
    '',
    { id: 'c1', tool: 'find_books', argumentsText: '{"query":"Em' },
    { id: 'c2', tool: 'now', argumentsText: '{}' },
  )
  const problem = 'The arguments are not valid JSON (a string is not closed).'
  expect(nativeParser.parse(reply, surface).calls).toEqual([
    { id: 'c1', tool: 'find_books', arguments: {}, malformed: { raw: '{"query":"Em', problem } },
    { id: 'c2', tool: 'now', arguments: {} },
  ])
})

it('the native parser reads calls written between tags when there are no native ones', () => {
  const reply = replyOf('Sure.\n<tool_call>{"name":"now","arguments":{}}</tool_call>')
  expect(nativeParser.parse(reply, surface)).toEqual({
    text: 'Sure.',
    calls: [{ tool: 'now', arguments: {} }],
  })
})

it('the native parser leaves the text alone when there are native calls', () => {
  const text = 'As in <tool_call>{"name":"now","arguments":{}}</tool_call>'
  const reply = replyWithCalls(text, { id: 'c1', tool: 'now', argumentsText: '{}' })
  expect(nativeParser.parse(reply, surface)).toEqual({
    text,
    calls: [{ id: 'c1', tool: 'now', arguments: {} }],
  })
})

it('the native parser leaves the text of a reply without calls alone', () => {
  expect(nativeParser.parse(replyOf(' Hello.\n'), surface)).toEqual({ text: ' Hello.\n', calls: [] })
})

it('the native parser has no instructions and no display filter', () => {
  expect(nativeParser.instructions(LIBRARY_TOOLS)).toBe('')
  expect(nativeParser).not.toHaveProperty('openDisplay')
})
