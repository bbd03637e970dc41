import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { cutText } from './cut-text.ts'

const characters = fc.constantFrom('a', 'é', '日', '😀')

describe('cutText', () => {
  it('returns short text unchanged', () => {
    expect(cutText('abc', 3)).toBe('abc')
    expect(cutText('', 0)).toBe('')
  })

  it('cuts before a surrogate pair that would be split', () => {
    expect(cutText('a😀b', 2)).toBe('a')
    expect(cutText('a😀b', 3)).toBe('a😀')
    expect(cutText('😀', 1)).toBe('')
  })

  it('never leaves half a surrogate pair at any length', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters }), fc.nat(50), (text, maxChars) => {
        const cut = cutText(text, maxChars)
        expect(cut.isWellFormed()).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(maxChars)
        expect(cut.length).toBeGreaterThanOrEqual(Math.min(text.length, maxChars) - 1)
        expect(text.startsWith(cut)).toBe(true)
      }),
    )
  })
})
