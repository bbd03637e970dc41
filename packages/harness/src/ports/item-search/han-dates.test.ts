import { describe, expect, it } from 'vitest'
import { findDates } from './find-dates.ts'

describe('dates in Chinese characters', () => {
  it.each([
    ['令和8年4月15日', { year: 2026, month: 4, day: 15 }],
    ['令和元年五月一日', { year: 2019, month: 5, day: 1 }],
    ['二〇二六年十二月三日', { year: 2026, month: 12, day: 3 }],
    ['九月二十五日', { month: 9, day: 25 }],
    ['十月三十一号', { month: 10, day: 31 }],
  ])('%s is read', (text, date) => {
    expect(findDates(text)).toEqual([date])
  })

  it('a number of days is no date', () => {
    expect(findDates('三日後に取りに行く')).toEqual([])
  })
})
