import { describe, expect, it } from 'vitest'
import { LIBRARY_TOOLS } from './scenarios/library-tools.fixture.ts'
import { parseText } from './parse-text.ts'
import { QUIET_REPLIES } from './scenarios/quiet-replies.fixture.ts'
import { RUNNING_REPLIES } from './scenarios/running-replies.fixture.ts'

describe('parseText runs', () => {
  it.each(RUNNING_REPLIES)('$it ($dialect)', ({ dialect, reply, calls, display }) => {
    const parsed = parseText(dialect, LIBRARY_TOOLS, reply)
    expect(parsed.calls).toEqual(calls.map(([name, args]) => ({ name, arguments: args })))
    expect(parsed.display).toBe(display)
  })
})

describe('parseText runs nothing from', () => {
  it.each(QUIET_REPLIES)('$it ($dialect)', ({ dialect, reply }) => {
    expect(parseText(dialect, LIBRARY_TOOLS, reply)).toEqual({ display: reply.trim(), calls: [] })
  })
})

it('parseText uses the first of two tools with one name', () => {
  const tools = [
    { name: 'add', input: { properties: { n: { type: 'integer' } } } },
    { name: 'add', input: { properties: { n: { type: 'string' } } } },
  ]
  expect(parseText('pformat', tools, '<tool_call>add[1]</tool_call>').calls).toEqual([
    { name: 'add', arguments: { n: 1 } },
  ])
})
