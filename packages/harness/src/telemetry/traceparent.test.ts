import { describe, expect, it } from 'vitest'
import { parseTraceparent, toTraceparent } from './traceparent.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const SPAN = '00f067aa0ba902b7'

describe('a traceparent', () => {
  it('is read and written', () => {
    const header = `00-${TRACE}-${SPAN}-01`
    const context = parseTraceparent(header)!
    expect(context).toEqual({ traceId: TRACE, spanId: SPAN, traceFlags: 1, isRemote: true })
    expect(toTraceparent(context)).toBe(header)
  })

  it('of a later version may say more', () => {
    expect(parseTraceparent(`01-${TRACE}-${SPAN}-00-more`)).toMatchObject({ traceId: TRACE, traceFlags: 0 })
  })

  it.each([
    undefined,
    '',
    'nonsense',
    `00-${TRACE}-${SPAN}`,
    `00-${TRACE}-${SPAN}-01-more`,
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}-01\n`,
  ])('that is not valid is ignored: %s', (header) => {
    expect(parseTraceparent(header)).toBeUndefined()
  })
})
