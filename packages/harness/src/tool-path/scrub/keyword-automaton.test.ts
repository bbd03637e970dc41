import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { createKeywordAutomaton } from './keyword-automaton.ts'

function meet(
  keywords: readonly string[],
  text: string,
  resume = (_keyword: string, _end: number): number => 0,
) {
  const met: string[] = []
  createKeywordAutomaton(keywords).walk(text, (index, end) => {
    const keyword = keywords[index] ?? ''
    met.push(`${keyword}@${end}`)
    return resume(keyword, end)
  })
  return met
}

it('the automaton finds every keyword, also one inside another, the longest first', () => {
  expect(meet(['he', 'she', 'hers', 'his'], 'ushers')).toEqual(['she@4', 'he@4', 'hers@6'])
})

it('the automaton ignores case, in any script', () => {
  expect(meet(['token', 'пароль'], 'TOKEN Пароль')).toEqual(['token@5', 'пароль@12'])
})

it('the automaton continues at the given position', () => {
  expect(meet(['ab'], 'abababab', (_, end) => (end === 2 ? 6 : 0))).toEqual(['ab@2', 'ab@8'])
})

it('the automaton finds keywords across the pieces of a long text', () => {
  const text = `${'x'.repeat(32 * 1024 - 2)}token${'x'.repeat(40_000)}token`
  expect(meet(['token'], text)).toEqual([`token@${32 * 1024 + 3}`, `token@${text.length}`])
  expect(meet(['token'], text, () => text.length - 5)).toHaveLength(2)
})

it('the automaton agrees with a search for each keyword', () => {
  const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), minLength: 1, maxLength: 4 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b', 'c', ' '), maxLength: 60 })
  fc.assert(
    fc.property(fc.uniqueArray(word, { minLength: 1, maxLength: 8 }), text, (keywords, searched) => {
      const expected = keywords.flatMap((keyword) =>
        Array.from(searched, (_, at) => at)
          .filter((at) => searched.startsWith(keyword, at))
          .map((at) => `${keyword}@${at + keyword.length}`),
      )
      expect(meet(keywords, searched).toSorted()).toEqual(expected.toSorted())
    }),
  )
})
