import { describe, expect, it } from 'vitest'
import { rootOf } from './stem-word.ts'

describe('the root of an Arabic word', () => {
  it.each([
    ['صندوق', 'صناديق'],
    ['مفتاح', 'المفاتيح'],
    ['كتاب', 'الكتب'],
    ['جدول', 'جداول'],
  ])('is the same for %s and its broken plural %s', (one, many) => {
    expect(rootOf(one)).toBeDefined()
    expect(rootOf(many)).toBe(rootOf(one))
  })

  it('is not guessed from two consonants', () => {
    expect(rootOf('باب')).toBeUndefined()
  })

  it('is not looked for in other scripts', () => {
    expect(rootOf('table')).toBeUndefined()
  })
})
