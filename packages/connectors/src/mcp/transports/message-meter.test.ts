import { describe, expect, it } from 'vitest'
import { createMessageLines } from './message-lines.ts'
import { createMessageMeter } from './message-meter.ts'

const bytes = (text: string): Buffer => Buffer.from(text)
const MANY = `[${'[],'.repeat(40_000)}1]`

describe('a message meter', () => {
  it.each([
    ['a long text', `{"a":"${'a'.repeat(20_000_000)}"}`],
    ['a text that is full of signs', `{"a":"${'[{,:'.repeat(2_000_000)}"}`],
    ['a text of escapes', `{"a":"${'\\"'.repeat(5_000_000)}"}`],
    ['many values', `{"result":{"structuredContent":{"a":[${'1,'.repeat(20_000)}1]}}}`],
  ])('lets through %s', (_, json) => {
    expect(createMessageMeter().take(bytes(json))).toBe(true)
  })

  it.each([
    ['too many bytes', 'a'.repeat(26_000_000)],
    ['too many values', MANY],
    ['too many levels', '['.repeat(201)],
  ])('refuses %s, also in small pieces', (_, json) => {
    expect(createMessageMeter().take(bytes(json))).toBe(false)
    const meter = createMessageMeter()
    const pieces = json.match(/[^]{1,1000}/g)!.map((piece) => meter.take(bytes(piece)))
    expect(pieces.at(-1)).toBe(false)
  })

  it('counts each message of an event stream for itself, and sees no text in other fields', () => {
    const meter = createMessageMeter({ isStream: true })
    const fine = `data: [${'1,'.repeat(20_000)}1]\r\n\r\n`
    for (let count = 0; count < 5; count++) expect(meter.take(bytes(fine))).toBe(true)
    expect(meter.take(bytes(`event: "\rdata: ${MANY}\r\r`))).toBe(false)
  })

  it('adds up the lines of one event', () => {
    const meter = createMessageMeter({ isStream: true })
    const lines = Array.from({ length: 5 }, () => meter.take(bytes(`data: ${'1,'.repeat(10_000)}\r\n`)))
    expect(lines.at(-1)).toBe(false)
  })
})

it('lines of a program: one that is too large keeps its beginning, and the next is read', () => {
  const linesOf = createMessageLines()
  const printed = `{"id":1}\n{"id":2,"a":${MANY}}\n{"id":3}\n`
  const lines = printed.match(/[^]{1,1000}/g)!.flatMap((piece) => [...linesOf(bytes(piece))])
  expect(lines).toEqual([
    { text: '{"id":1}' },
    { tooLarge: expect.stringMatching(/^\{"id":2,"a":\[\[\]/) as string },
    { text: '{"id":3}' },
  ])
})
