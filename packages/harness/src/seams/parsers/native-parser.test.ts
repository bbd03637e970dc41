import { expect, it } from 'vitest'
import { createSurface } from '../../turn/surface.ts'
import { LIBRARY_TOOLS } from './scenarios/library-tools.fixture.ts'
import { nativeParser } from './native-parser.ts'
import { replyOf, replyWithCalls } from './scenarios/reply.fixture.ts'

const surface = createSurface(LIBRARY_TOOLS)

it('takes calls as the provider delivers them, with their ids and extras', () => {
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

it('reports arguments that cannot be read, and the calls beside them still run', () => {
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

it('understands a model that writes its calls between tags', () => {
  const reply = replyOf('Sure.\n<tool_call>{"name":"now","arguments":{}}</tool_call>')
  expect(nativeParser.parse(reply, surface)).toEqual({
    text: 'Sure.',
    calls: [{ tool: 'now', arguments: {} }],
  })
})

it('leaves the text alone when there are real calls', () => {
  const text = 'As in <tool_call>{"name":"now","arguments":{}}</tool_call>'
  const reply = replyWithCalls(text, { id: 'c1', tool: 'now', argumentsText: '{}' })
  expect(nativeParser.parse(reply, surface)).toEqual({
    text,
    calls: [{ id: 'c1', tool: 'now', arguments: {} }],
  })
})

it('leaves the text of a reply without calls as it is', () => {
  expect(nativeParser.parse(replyOf(' Hello.\n'), surface)).toEqual({ text: ' Hello.\n', calls: [] })
})

it('has nothing to teach and shows everything', () => {
  expect(nativeParser.instructions(LIBRARY_TOOLS)).toBe('')
  expect(nativeParser).not.toHaveProperty('openDisplay')
})
