import type { CallId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import { findUnpairedCalls } from '../testing/index.ts'
import type { Message } from '../turn/message/message.ts'
import { pairCalls } from './pair-calls.ts'

const user = (text: string): Message => ({ role: 'user', parts: [{ type: 'text', text }] })
const reply = (text: string, ...ids: string[]): Message => ({
  role: 'assistant',
  parts: [
    { type: 'text', text },
    ...ids.map((id) => ({ type: 'call' as const, call: { id: id as CallId, tool: 'look', arguments: {} } })),
  ],
})
const result = (id: string): Message => ({
  role: 'tool',
  callId: id as CallId,
  tool: 'look',
  ok: true,
  text: 'seen',
})

describe('pairCalls', () => {
  it('returns the same list when every call has its result', () => {
    const messages = [user('a'), reply('', 'c1', 'c2'), result('c1'), result('c2'), reply('Done.')]
    expect(pairCalls(messages)).toBe(messages)
  })

  it.each([
    ['a call without a result', [user('a'), reply('I look.', 'c1')], [user('a'), reply('I look.')]],
    ['a reply that was only such a call', [user('a'), reply('', 'c1'), user('b')], [user('a'), user('b')]],
    ['a result whose call was cut away', [result('c1'), reply('Done.')], [reply('Done.')]],
    [
      'one of two calls',
      [reply('', 'c1', 'c2'), result('c2'), user('b')],
      [reply('', 'c2'), result('c2'), user('b')],
    ],
    ['a second result', [reply('', 'c1'), result('c1'), result('c1')], [reply('', 'c1'), result('c1')]],
    ['a result that comes too late', [reply('x', 'c1'), user('b'), result('c1')], [reply('x'), user('b')]],
    ['an empty reply', [user('a'), reply(' '), user('b')], [user('a'), user('b')]],
  ])('leaves out %s', (_, messages, left) => {
    expect(pairCalls(messages)).toEqual(left)
    expect(findUnpairedCalls(pairCalls(messages))).toEqual([])
  })
})
