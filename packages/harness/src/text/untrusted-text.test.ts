import { describe, expect, it } from 'vitest'
import { sanitizeLine, sanitizeText } from './untrusted-text.ts'

describe('untrusted text', () => {
  it('becomes one line in sanitizeLine', () => {
    expect(sanitizeLine('  a\r\nb\tc\u2028d\u0085e \0f ', 100)).toBe('a b c d e f')
  })

  it('keeps its line breaks in sanitizeText', () => {
    expect(sanitizeText('\n- a\r\n\t- b\u2028c\rd\n', 100)).toBe('- a\n\t- b\nc\nd')
  })

  it.each([
    ['colours of a terminal', 'a\u001b[31mb', 'a[31mb'],
    ['turns of direction', 'a\u202eb\u2066c\u200ed', 'abcd'],
    ['what cannot be seen', 'a\u200bb\ufeffc\u{e0041}d\u00ade', 'abcde'],
    ['halves of characters', 'a\ud83d', 'a\ufffd'],
  ])('is stripped of %s', (_, text, shown) => {
    expect(sanitizeLine(text, 100)).toBe(shown)
    expect(sanitizeText(text, 100)).toBe(shown)
  })

  it('keeps the joiners of scripts and emoji', () => {
    expect(sanitizeLine('👩\u200d🔬 می\u200cخواهم', 100)).toBe('👩\u200d🔬 می\u200cخواهم')
  })

  it('is cut without splitting a character', () => {
    expect(sanitizeLine('ab😀', 3)).toBe('ab')
    expect(sanitizeText('x'.repeat(10_000_000), 5)).toBe('xxxxx')
  })

  it.each([undefined, null, 7, {}, ['a']])('is nothing when it is %j', (value) => {
    expect(sanitizeLine(value, 10)).toBe('')
    expect(sanitizeText(value, 10)).toBe('')
  })
})
