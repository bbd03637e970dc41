import { expect, it } from 'vitest'
import { quietUntil } from './quiet-hours.ts'

const NIGHT = { from: '22:00', to: '07:00', timeZone: 'Europe/Berlin' }
const at = (text: string): number => Date.parse(text)

it.each([
  ['in the evening', '2026-01-05T21:30:00Z', '2026-01-06T06:00:00Z'],
  ['after midnight', '2026-01-05T23:59:30Z', '2026-01-06T06:00:00Z'],
  ['in the night in which clocks go forward', '2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z'],
  ['in the night in which clocks go back', '2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z'],
])('quiet hours %s end at the time of the wall clock', (_, now, end) => {
  expect(quietUntil(NIGHT, at(now))).toBe(at(end))
})

it('quiet hours are over at their end, and at no time without them', () => {
  expect(quietUntil(NIGHT, at('2026-01-06T06:00:00Z'))).toBeUndefined()
  expect(quietUntil(NIGHT, at('2026-01-05T12:00:00Z'))).toBeUndefined()
  expect(quietUntil(null, 0)).toBeUndefined()
})
