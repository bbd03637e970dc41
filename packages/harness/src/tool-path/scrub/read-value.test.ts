import { expect, it } from 'vitest'
import { readValue } from './read-value.ts'

function valueIn(text: string): string {
  const { start, end } = readValue(text, 0)
  return text.slice(start, end)
}

it.each([
  ['"a b", "c": 1', 'a b'],
  [String.raw`"a\"b" rest`, String.raw`a\"b`],
  [String.raw`"a\\", "c"`, String.raw`a\\`],
  [String.raw`\"a b\", \"c\"`, 'a b'],
  [String.raw`\"a\\\"b\", \"c\"`, String.raw`a\\\"b`],
  [String.raw`\\\"ab\\\"}\"}"`, 'ab'],
  ["'a\"b' rest", 'a"b'],
  ['\'open","next":"it\'s"', 'open'],
  ['"cut off\nnext line', 'cut off'],
  ['Some("ab") }', 'ab'],
  ["b'ab', ", 'ab'],
  ['["ab"]', 'ab'],
  ['&quot;a b&quot;,', 'a b'],
  ['%22ab%22%2C', 'ab'],
  ['|\n  ab\nc: d', 'ab'],
])('reads a quoted value out of %j', (text, value) => {
  expect(valueIn(text)).toBe(value)
})

it.each([
  ['ab cd', 'ab'],
  ['ab. Next', 'ab'],
  ['ab, next', 'ab'],
  ['ab&c=1', 'ab'],
  ['ab&cd', 'ab&cd'],
  ['ab;Encrypt=True', 'ab'],
  ['ab;cd;Encrypt=True', 'ab;cd'],
  ['ab: not_found', 'ab'],
  ['ab)', 'ab'],
  ['a)b c', 'a)b'],
  ['ab</password>', 'ab'],
  [String.raw`ab\ncd`, 'ab'],
  [String.raw`a\\b c`, String.raw`a\\b`],
  [String.raw`ab\u0026c`, 'ab'],
  ['ab%26c%3D1', 'ab'],
  ['ab，请', 'ab'],
  ['äb c', 'äb'],
])('reads a bare value out of %j', (text, value) => {
  expect(valueIn(text)).toBe(value)
})
