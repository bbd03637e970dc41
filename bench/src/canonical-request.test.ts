import { expect, it } from 'vitest'
import { retention, toBytes } from './canonical-request.ts'
import type { CanonicalRequest } from './canonical-request.ts'

const BASE: CanonicalRequest = {
  tools: [{ name: 'read_books', description: 'Reads.', parameters: { type: 'object' } }],
  system: 'Be brief.',
  history: [{ role: 'user', text: 'Hello' }],
}

it('a request that only adds to the history keeps the whole prefix', () => {
  const next = { ...BASE, history: [...BASE.history, { role: 'assistant' as const, text: 'Hi', calls: [] }] }
  expect(retention(BASE, next)).toBe(1)
})

it('a request with one more tool keeps only the tools', () => {
  const next = {
    ...BASE,
    tools: [...BASE.tools, { name: 'read_maps', description: 'Reads.', parameters: {} }],
  }
  const toolBytes = toBytes({ ...BASE, history: [] }).indexOf('{"system"')
  // The new tool and the system prompt both begin with `{"`, and part there.
  expect(retention(BASE, next)).toBeCloseTo((toolBytes + 2) / toBytes(BASE).length, 10)
})

it('a request with another first tool keeps almost nothing', () => {
  const next = { ...BASE, tools: [{ ...BASE.tools[0]!, description: 'Writes.' }] }
  expect(retention(BASE, next)).toBeLessThan(0.2)
})

it('the prefix does not depend on the order of keys', () => {
  const tool = { parameters: { type: 'object' }, description: 'Reads.', name: 'read_books' }
  expect(retention(BASE, { ...BASE, tools: [tool] })).toBe(1)
})

it('a history that is cut from the front keeps less than the whole prefix', () => {
  const long = { ...BASE, history: [...BASE.history, { role: 'user' as const, text: 'Again' }] }
  expect(retention(long, { ...long, history: long.history.slice(1) })).toBeLessThan(1)
})
