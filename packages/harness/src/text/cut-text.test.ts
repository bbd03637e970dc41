import { describe, expect, it } from 'vitest'
import * as fc from 'fast-check'
import { cutText, cutToBytes, cutWithSize } from './cut-text.ts'

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

describe('cutWithSize', () => {
  it('names the size of the whole and of what is shown, in bytes', () => {
    expect(cutWithSize('日本語', 3)).toBe('日本語')
    expect(cutWithSize('日本語', 2)).toBe('日本\n[cut: 9 bytes in all, 6 are shown]')
  })
})

describe('cutToBytes', () => {
  it('keeps the longest beginning that fits, for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: characters }), fc.nat(60), (text, maxBytes) => {
        const cut = cutToBytes(text, maxBytes)
        expect(text.startsWith(cut)).toBe(true)
        expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(maxBytes)
        const next = String.fromCodePoint(text.codePointAt(cut.length) ?? 0)
        if (cut !== text) expect(Buffer.byteLength(cut + next)).toBeGreaterThan(maxBytes)
      }),
    )
  })
})
