import { describe, expect, it } from 'vitest'
import { markInvisible } from './mark-invisible.ts'

const codesIn = (text: string) => markInvisible(text).flatMap((part) => ('code' in part ? [part.code] : []))

describe('markInvisible', () => {
  it.each([
    ['a mark that reverses text', 'ada\u202emoc.live', ['U+202E']],
    ['an isolate', 'a\u2066b\u2069', ['U+2066', 'U+2069']],
    ['a space without width', 'ada\u200b@example.com', ['U+200B']],
    ['a soft hyphen', 'exam\u00adple', ['U+00AD']],
    ['tag characters', 'a\u{e0041}\u{e0042}', ['U+E0041', 'U+E0042']],
    ['an escape', 'a\u001b[2J', ['U+001B']],
    ['a variation selector behind a letter', 'a\ufe01', ['U+FE01']],
    ['a joiner that joins nothing', 'a \u200d b', ['U+200D']],
    ['a Hangul filler', 'a\u3164b', ['U+3164']],
    ['a line separator', 'a\u2028b', ['U+2028']],
  ])('marks %s', (_, text, codes) => {
    expect(codesIn(text)).toEqual(codes)
    expect(
      markInvisible(text)
        .map((part) => ('code' in part ? part.character : part.text))
        .join(''),
    ).toBe(text)
  })

  it.each(['plain text\n\twith lines', 'سلام', 'می‌خواهم', '👨‍👩‍👧', '❤️', 'क्‍ष', 'zażółć', '日本語'])(
    'leaves %s as it is',
    (text) => {
      expect(codesIn(text)).toEqual([])
    },
  )

  it('reads a megabyte in linear time', () => {
    const started = performance.now()
    expect(codesIn('a\u200d'.repeat(10) + 'x'.repeat(1_000_000))).toHaveLength(0)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
