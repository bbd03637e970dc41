import { describe, expect, it } from 'vitest'
import { cutToWidth, displayWidth, tailToWidth, wrap } from './display-width.ts'

describe('displayWidth', () => {
  it.each([
    ['plain', 5],
    ['héllo', 5],
    ['e\u0301', 1],
    ['日本語', 6],
    ['👩‍👩‍👧', 2],
    ['한국', 4],
    ['', 0],
  ])('of %s is %i columns', (text, width) => {
    expect(displayWidth(text)).toBe(width)
  })

  it('cutToWidth cuts between characters', () => {
    expect(cutToWidth('short', 5, '…')).toBe('short')
    expect(cutToWidth('a longer line', 8, '…')).toBe('a longe…')
    expect(cutToWidth('日本語です', 6, '…')).toBe('日本…')
    expect(cutToWidth('👩‍👩‍👧👩‍👩‍👧', 3, '…')).toBe('👩‍👩‍👧…')
    expect(cutToWidth('abc', 0, '…')).toBe('')
  })

  it('tailToWidth keeps the end of a line', () => {
    expect(tailToWidth('what I type', 6)).toBe('I type')
    expect(tailToWidth('short', 6)).toBe('short')
  })
})

describe('wrap', () => {
  it('breaks between words', () => {
    expect(wrap('one two three four', 9)).toEqual(['one two', 'three', 'four'])
  })

  it('breaks a word that is wider than a line', () => {
    expect(wrap('go abcdefghij', 4)).toEqual(['go', 'abcd', 'efgh', 'ij'])
  })

  it('keeps indentation and a trailing space', () => {
    expect(wrap('  - item ', 20)).toEqual(['  - item '])
  })

  it('leaves a character that is wider than a line whole', () => {
    expect(wrap('日本', 1)).toEqual(['日本'])
  })

  it('never changes a line that has another line below it', () => {
    const text = 'The ferry leaves at 18:40 from pier 4, and averylongwordwithoutanybreaks follows it.'
    let before: readonly string[] = []
    for (let end = 0; end <= text.length; end++) {
      const lines = wrap(text.slice(0, end), 12)
      const final = before.slice(0, -1)
      expect(lines.slice(0, final.length)).toEqual(final)
      before = lines
    }
    expect(before.length).toBeGreaterThan(5)
  })
})
