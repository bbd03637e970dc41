import type { CallId } from '@capstan/protocol'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../turn/json.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import { canonicalCall, looseCall } from './canonical-call.ts'

const call = (args: JsonObject, tool = 'find'): ToolCall => ({ id: 'c' as CallId, tool, arguments: args })

describe('the canonical call', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['the order of keys', { a: 1, b: { c: 2, d: 3 } }, { b: { d: 3, c: 2 }, a: 1 }],
    ['white space', { q: 'red shoe' }, { q: '  red   shoe\n' }],
    ['a nonce', { q: 'x', nonce: 'a1' }, { q: 'x', nonce: 'b2' }],
    ['an idempotency key', { q: 'x', idempotency_key: 'k-5' }, { q: 'x', idempotencyKey: 'k-77' }],
    ['a request id', { q: 'x', request_id: '9f3a1b' }, { q: 'x', request_id: '77c0de' }],
    ['the time of the request', { q: 'x', timestamp: 1_938_570_000 }, { q: 'x', timestamp: 1_938_570_044 }],
  ])('does not depend on %s', (_, one, other) => {
    expect(canonicalCall(call(one))).toBe(canonicalCall(call(other)))
    expect(looseCall(call(one))).toBe(looseCall(call(other)))
  })

  it.each<[string, JsonObject, JsonObject]>([
    ['letter case', { q: 'Red Shoe' }, { q: 'red shoe' }],
    ['accents', { q: 'Érables' }, { q: 'erables' }],
    ['punctuation', { q: 'gift card expiry?' }, { q: '"gift-card" expiry' }],
    ['the order of words', { q: 'plum jam' }, { q: 'jam, plum' }],
    ['an empty option', { q: 'x', page: null, tags: [] }, { q: 'x' }],
    ['a number written as text', { id: 44, all: true }, { id: '44', all: 'true' }],
    ['how much is shown', { q: 'x', limit: 10 }, { q: 'x', limit: 50, verbose: true }],
    ['decoration of a path', { path: './docs//api/' }, { path: 'docs/api' }],
    [
      'decoration of an address',
      { url: 'http://www.a.example/x/#top' },
      { url: 'https://a.example/x?_=1938570000' },
    ],
    ['the order of a list', { ids: ['a', 'b'] }, { ids: ['b', 'a'] }],
  ])('in its loose form does not depend on %s', (_, one, other) => {
    expect(canonicalCall(call(one))).not.toBe(canonicalCall(call(other)))
    expect(looseCall(call(one))).toBe(looseCall(call(other)))
  })
})

describe('two canonical calls', () => {
  it.each<[string, JsonObject, JsonObject]>([
    ['a word', { q: 'red shoe' }, { q: 'blue shoe' }],
    ['a number', { page: 1 }, { page: 2 }],
    ['a number in a phrase', { to: 'shop 1 manager' }, { to: 'shop 2 manager' }],
    ['numbers that change places', { cell: 'row 1 col 2' }, { cell: 'row 2 col 1' }],
    ['a sign', { by: -1 }, { by: 1 }],
    ['a sign that means something', { language: 'C#' }, { language: 'C++' }],
    ['an operator', { expression: '1980*0.8' }, { expression: '1980/0.8' }],
    ['a folder', { path: 'a/b' }, { path: 'b/a' }],
    ['a cursor', { cursor: 'c58408', size: 40 }, { cursor: 'c66327', size: 40 }],
    ['the only argument, even if it is a request id', { request_id: '9f3a1b' }, { request_id: '77c0de' }],
    [
      'a numbered request',
      { request_id: 'R-101', decision: 'yes' },
      { request_id: 'R-102', decision: 'yes' },
    ],
    [
      'a moment that is asked for',
      { film: 'a', timestamp: '00:01:30' },
      { film: 'a', timestamp: '00:02:30' },
    ],
    ['the key', { from: 'x' }, { to: 'x' }],
    ['a limit that is set', { limit: 10 }, { limit: 20 }],
    ['long content', { text: `${'a'.repeat(300)}1` }, { text: `${'a'.repeat(300)}2` }],
    ['signs of other scripts', { city: '东京' }, { city: '京都' }],
  ])('differ in %s', (_, one, other) => {
    expect(looseCall(call(one))).not.toBe(looseCall(call(other)))
  })

  it('differ in their tool', () => {
    expect(looseCall(call({}, 'find'))).not.toBe(looseCall(call({}, 'read')))
    expect(canonicalCall(call({}, 'find'))).not.toBe(canonicalCall(call({}, 'read')))
  })

  it('with unreadable arguments differ by their raw text', () => {
    const malformed = (raw: string): ToolCall => ({ ...call({}), malformed: { raw, problem: 'not JSON' } })
    expect(canonicalCall(malformed('{"a'))).toBe(canonicalCall(malformed('{"a')))
    expect(canonicalCall(malformed('{"a'))).not.toBe(canonicalCall(malformed('{"b')))
    expect(looseCall(malformed('{"a'))).not.toBe(looseCall(malformed('{"b')))
  })
})
