import { expect, it } from 'vitest'
import { toThreadTitle } from './thread-title.ts'

it.each([
  ['Plan my week', 'Plan my week'],
  ['\n\n  Plan my week  \nwith care', 'Plan my week'],
  ['one\ttwo\0three', 'one two three'],
  ['', ''],
  [' \n\t ', ''],
  ['x'.repeat(100), 'x'.repeat(60)],
  [`${'x'.repeat(59)}😀`, 'x'.repeat(59)],
  [`${'x'.repeat(60)} more`, 'x'.repeat(60)],
  [`${'x'.repeat(40)} ${'y'.repeat(40)}`, 'x'.repeat(40)],
  ['half \ud83d of one', 'half \ufffd of one'],
])('the title of a thread that begins with %j is %j', (text, title) => {
  expect(toThreadTitle(text)).toBe(title)
})

it('the title of a thread is read from the beginning of a large text', () => {
  expect(toThreadTitle(`${' '.repeat(20)}word\n${'z'.repeat(5_000_000)}`)).toBe('word')
})
