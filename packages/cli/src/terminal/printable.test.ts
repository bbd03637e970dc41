import { describe, expect, it } from 'vitest'
import { toPrintable, toPrintableLine, toJsonLine } from './printable.ts'

describe('toPrintable', () => {
  it.each([
    ['colours', 'a\u001b[31mred\u001b[0m', 'ared'],
    ['cursor moves and erasing', 'a\u001b[2J\u001b[1;1Hb', 'ab'],
    ['the window title', '\u001b]0;pwned\u0007hi', 'hi'],
    ['hyperlinks', '\u001b]8;;http://evil.test\u0007click\u001b]8;;\u0007', 'click'],
    ['eight-bit escapes', 'a\u009b31mb', 'ab'],
    ['a carriage return that hides what came before', 'harmless\rrm -rf', 'harmlessrm -rf'],
    ['backspaces', 'ab\b\bcd', 'abcd'],
    ['the bell and the null', 'a\u0007\u0000b', 'ab'],
    ['marks that change the writing direction', 'user\u202e\u2066txt.exe\u2069', 'usertxt.exe'],
  ])('removes %s', (_, raw, printable) => {
    expect(toPrintable(raw)).toBe(printable)
  })

  it('removes an escape that is nested in another', () => {
    // oxlint-disable-next-line no-control-regex
    expect(toPrintable('\u001b\u001b[31m[31mred')).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
  })

  it('keeps line breaks, other scripts and emoji', () => {
    expect(toPrintable('eins\r\nzwei\n\nشكرا 👩‍👩‍👧 日本')).toBe('eins\nzwei\n\nشكرا 👩‍👩‍👧 日本')
  })

  it('has a form on one line: toPrintableLine', () => {
    expect(toPrintableLine('  a\n\tb\u2028c  ')).toBe('a b c')
  })

  it('has a form for JSON that parses to the same value: toJsonLine', () => {
    const value = { text: 'a\u001b[2J\u009b2J\u202eb\u007f' }
    const line = toJsonLine(value)
    expect(line).toMatch(/^[\u0020-\u007e]*$/)
    expect(JSON.parse(line)).toEqual(value)
  })
})
