import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createBoundedPattern } from './match-pattern.ts'
import { UnusablePattern } from './parse-pattern.ts'
import { TooMuchWork, WorkBudget } from './work-budget.ts'

const STEPS = 120_000
const matches = (pattern: string, text: string): boolean =>
  createBoundedPattern(pattern).matches(text, new WorkBudget(STEPS))

function toNative(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u')
  } catch {
    return new RegExp(pattern, '')
  }
}

/** Patterns as published servers use them, the odd corners of the syntax, and texts around their edges. */
const PATTERNS = [
  '^[a-z0-9]+(?:-[a-z0-9]+)*$',
  String.raw`^(?!\.)(?!.*\.\.)([A-Za-z0-9_'+\-\.]*)[A-Za-z0-9_+-]@([A-Za-z0-9][A-Za-z0-9\-]*\.)+[A-Za-z]{2,}$`,
  String.raw`^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?Z?)?$`,
  '^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}$',
  '^(?=.*[A-Z])(?=.*\\d).{4,8}$',
  String.raw`\bfoo\b|\Bbar`,
  String.raw`^\p{L}+$`,
  String.raw`^[\p{Lu}\d_]*?$`,
  String.raw`^\u{1F600}.$`,
  String.raw`^[^]$|[]`,
  '^(a|ab)(c|bcd)(d*)$',
  '^((a*)*)*$',
  '(?<year>\\d+)x{2}|y{0}z',
  '^.{1,5000}$',
  String.raw`^\s*\S+\s*$`,
  String.raw`\x41|\u0042|\cJ|\0|\t`,
  String.raw`a\-b\/c`,
  'x{a}',
  '',
]
const TEXTS = [
  '',
  'a',
  'ab',
  'abcd',
  'a-b',
  'ada@example.org',
  '.ada@example.org',
  'a..b@example.org',
  '2026-11-16T10:00Z',
  'foo',
  'a foo b',
  'xbar',
  'Ab1d',
  'AB12345678',
  'Éa',
  'ÉA_9',
  '😀x',
  '😀',
  '\u{1F600}\u{1F600}',
  '\n',
  '\u0000',
  'A',
  'B',
  '\t',
  'a-b/c',
  'x{a}',
  '12xx',
  'z',
  '\ud83d',
  ' x ',
  'aaaaaa!',
  '123e4567-e89b-12d3',
]

describe('a bounded pattern', () => {
  it.each(PATTERNS)('answers like the regular expression %s', (pattern) => {
    for (const text of TEXTS)
      expect([text, matches(pattern, text)]).toEqual([text, toNative(pattern).test(text)])
  })

  it('answers like the regular expression for generated patterns and texts', () => {
    const leaf = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\w', '\\b', '^', '$', 'é', '\\d', '')
    const { pattern } = fc.letrec<{ pattern: string }>((tie) => ({
      pattern: fc.oneof(
        { maxDepth: 4 },
        leaf,
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => one + other),
        fc.tuple(tie('pattern'), tie('pattern')).map(([one, other]) => `(?:${one}|${other})`),
        fc
          .tuple(tie('pattern'), fc.constantFrom('*', '+', '?', '{2}', '{1,3}', '{2,}', '*?'))
          .map(([one, sign]) => `(${one})${sign}`),
        fc.tuple(tie('pattern'), fc.constantFrom('?=', '?!')).map(([one, sign]) => `(${sign}${one})`),
      ),
    }))
    const text = fc.string({ unit: fc.constantFrom('a', 'b', 'é', '1', ' '), maxLength: 8 })
    fc.assert(
      fc.property(pattern, text, (source, value) => {
        expect([source, value, matches(source, value)]).toEqual([source, value, toNative(source).test(value)])
      }),
      { numRuns: 3_000, seed: 12 },
    )
  })

  it.each([
    ['(a+)+$', `${'a'.repeat(20_000)}!`],
    ['^(a|a)*$', `${'a'.repeat(20_000)}!`],
    ['^(.*a){12}$', 'a'.repeat(2_000)],
    ['(x+x+)+y', 'x'.repeat(20_000)],
    ['^(?:(?=(?:a*)*b)a)*$', 'a'.repeat(20_000)],
    ['(a{1,50}){1,50}$', 'a'.repeat(20_000)],
    [String.raw`^[\w\W]+?(?:\p{L}|\p{N}){1,500}$`, 'é'.repeat(20_000)],
  ])('answers %s or gives up within its steps', (pattern, text) => {
    const before = process.cpuUsage()
    try {
      expect(matches(pattern, text)).toBeTypeOf('boolean')
    } catch (error) {
      expect(error).toBeInstanceOf(TooMuchWork)
    }
    const { user } = process.cpuUsage(before)
    expect(user / 1_000).toBeLessThan(100)
  })

  it.each([
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?<=a)b',
    '(?<!a)b',
    '(',
    '[',
    'a'.repeat(2_001),
    '((a{999}){999}){999}',
    '(?:){999999}',
    '(?:(?:(?:){9999}){9999}){9999}',
    `${'('.repeat(60)}${')'.repeat(60)}`,
  ])('refuses %s', (pattern) => {
    expect(() => createBoundedPattern(pattern)).toThrow(UnusablePattern)
  })
})
