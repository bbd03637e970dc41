import { expect, it } from 'vitest'
import { isBlank } from './is-blank.ts'

it.each(['', ' \n\t', '\u200b', '\u00a0\u2060', '\ufeff\u200e', '\u0000', '\u2800', '\u3164'])(
  '%j is blank',
  (text) => {
    expect(isBlank(text)).toBe(true)
  },
)

it.each(['.', ' a ', '\u200bא', '👍🏽', '👩‍👩‍👧', '❤️', 'ि'])('%j is not blank', (text) => {
  expect(isBlank(text)).toBe(false)
})
