import { describe, expect, it } from 'vitest'
import { toFullTime, toWhen } from './when.ts'

const at = (...parts: [number, number, number, number, number, number]): number =>
  new Date(...parts).getTime()
const NOW = at(2026, 10, 15, 18, 0, 0)

describe('toWhen', () => {
  it.each([
    [at(2026, 10, 15, 9, 5, 0), '09:05'],
    [at(2026, 10, 14, 23, 59, 0), 'Nov 14'],
    [at(2025, 10, 15, 9, 5, 0), '2025-11-15'],
  ])('leaves out what a time shares with now: %d is %s', (then, text) => expect(toWhen(then, NOW)).toBe(text))

  it('has a full form: toFullTime', () => {
    expect(toFullTime(at(2026, 0, 5, 9, 5, 7))).toBe('2026-01-05 09:05:07')
  })
})
