import { describe, expect, it } from 'vitest'
import { withoutVolatileParts } from './volatile-parts.ts'

const isSame = (a: string, b: string): boolean => withoutVolatileParts(a) === withoutVolatileParts(b)

describe('two outputs are the same', () => {
  it.each([
    ['a duration', '3 hits in 11 ms', '3 hits in 240 ms'],
    ['a duration in seconds', 'two rows (0.21 s)', 'two rows (1.03 s)'],
    ['a point in time', '2031-02-03T10:00:01Z calm', '2031-02-03T10:00:09.250Z calm'],
    ['a clock with seconds', 'calm at 10:00:01', 'calm at 11:59:59'],
    ['the time of the answer', '14 lambs (as of 09:20)', '14 lambs (as of 09:21)'],
    ['a date with a time', 'Stand: 03.02.2031 10:12, leer', 'Stand: 04.02.2031 10:15, leer'],
    ['a number of seconds since 1970', 'rendered 1938570000', 'rendered 1938570419'],
    ['an age', 'seen 3 minutes ago', 'seen 12 minutes ago'],
    ['a trace id', 'nobody (trace 00003039)', 'nobody (trace 0001402e)'],
    ['a uuid', 'ok 1b4e28ba-2fa1-11d2-883f-0016d3cca427', 'ok 6fa459ea-ee8a-3ca4-894e-db77e160355e'],
    ['a request id', 'closed, request-id: ab12', 'closed, request-id: zz99'],
    ['an address in memory', '<Boat at 0x7f3a>', '<Boat at 0x81bb>'],
    ['a count of attempts', 'busy (attempt 3 of 9)', 'busy (attempt 4 of 9)'],
    ['an allowance', '4.10 (calls left: 99)', '4.10 (calls left: 98)'],
    ['an envelope', '{"took":3,"hits":[]}', '{"took":41,"hits":[]}'],
  ])('when only %s differs', (_, one, other) => {
    expect(isSame(one, other)).toBe(true)
  })

  it('in a long text, when its head and tail differ in volatile parts only', () => {
    const body = 'a line of the chronicle, year 1640\n'.repeat(900)
    expect(isSame(`10:00:01\n${body}took 3 ms`, `10:00:59\n${body}took 81 ms`)).toBe(true)
    expect(isSame(`${body}a${body}`, `${body}b${body}`)).toBe(false)
  })
})

describe('two outputs differ', () => {
  it.each([
    ['per cent', '41 %', '58 %'],
    ['parts of a whole', '4 of 48 uploaded', '13 of 48 uploaded'],
    ['a count', '40 sent', '120 sent'],
    ['the time left', '45 s left', '30 s left'],
    ['a countdown', '00:04:59 remaining', '00:03:10 remaining'],
    ['an arrival', 'arrives at 10:42', 'arrives at 10:47'],
    ['what was done', 'transcribed 45 s', 'transcribed 90 s'],
    ['a temperature', 'core 54 °C', 'core 61 °C'],
    ['a date', 'due 2031-02-03', 'due 2031-02-04'],
    ['a word', 'queued', 'running'],
  ])('in %s', (_, one, other) => {
    expect(isSame(one, other)).toBe(false)
  })
})
