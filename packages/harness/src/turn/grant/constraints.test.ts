import { describe, expect, it } from 'vitest'
import { checkConstraints, fitsConstraints, matchesDestination, suggestConstraints } from './constraints.ts'

describe('a destination pattern', () => {
  it.each([
    ['ada@example.com', 'ada@example.com'],
    ['*@example.com', 'ada@example.com'],
    ['*@example.com', 'ada@EXAMPLE.com'],
    ['*@mycompany.example', 'bücher@mycompany.example'],
    ['*.example.com', 'https://example.com/a?b=c'],
    ['*.example.com', 'https://api.example.com:8443/'],
    ['*.example.com', 'api.example.com'],
    ['#general', '#general'],
  ])('%s matches %s', (pattern, value) => {
    expect(matchesDestination(pattern, value)).toBe(true)
  })

  it.each([
    ['ada@example.com', 'Ada@example.com'],
    ['*@example.com', 'ada@example.com.evil.test'],
    ['*@example.com', 'ada@evil.test, bob@example.com'],
    ['*@example.com', 'ada@evil.test;bob@example.com'],
    ['*@example.com', '"ada@evil.test" <bob@example.com>'],
    ['*@example.com', 'ada@evil.test@example.com'],
    ['*@example.com', 'ada@evil.test\nbob@example.com'],
    ['*@example.com', 'ada@sub.example.com'],
    ['*@example.com', '@example.com'],
    ['*.example.com', 'https://evil-example.com/'],
    ['*.example.com', 'https://example.com.evil.test/'],
    ['*.example.com', 'https://example.com@evil.test/'],
    ['*.example.com', 'https://evil.test\\@example.com/'],
    ['*.example.com', 'https://user:password@example.com/'],
    ['*.example.com', 'https://evil.test/#https://example.com'],
    ['*.example.com', 'ftp://example.com/'],
    ['*.example.com', 'javascript://example.com/%0aalert(1)'],
    ['*.example.com', ' https://example.com/'],
    ['*.example.com', 'https://exam\tple.com/'],
    ['#general', '#general2'],
  ])('%s does not match %j', (pattern, value) => {
    expect(matchesDestination(pattern, value)).toBe(false)
  })
})

describe('constraints', () => {
  it('need a pattern for every destination that a call has', () => {
    const constraints = { to: ['*@example.com'] }
    expect(fitsConstraints(constraints, { to: ['ada@example.com', 'bob@example.com'] })).toBe(true)
    expect(fitsConstraints(constraints, { to: ['ada@example.com'], cc: [] })).toBe(true)
    expect(fitsConstraints(constraints, { to: ['ada@example.com'], bcc: ['eve@evil.test'] })).toBe(false)
    expect(fitsConstraints(constraints, { to: ['ada@example.com', 'eve@evil.test'] })).toBe(false)
    expect(fitsConstraints(constraints, { to: [] })).toBe(false)
    expect(fitsConstraints(constraints, {})).toBe(false)
  })

  it('are suggested with exactly the destinations first, then with domains and hosts', () => {
    expect(suggestConstraints({ to: ['ada@example.com', 'bob@example.com'], cc: [] })).toEqual([
      { to: ['ada@example.com', 'bob@example.com'] },
      { to: ['*@example.com'] },
    ])
    expect(suggestConstraints({ url: ['https://api.example.com/v1'] })).toEqual([
      { url: ['https://api.example.com/v1'] },
      { url: ['*.api.example.com'] },
    ])
    expect(suggestConstraints({ channel: ['#general'] })).toEqual([{ channel: ['#general'] }])
    expect(suggestConstraints({ url: ['http://127.0.0.1/a'] })).toEqual([{ url: ['http://127.0.0.1/a'] }])
  })

  it.each([
    ['no destination', {}],
    ['an empty destination', { to: [] }],
    ['a destination that is too long to show', { to: ['x'.repeat(301)] }],
    ['too many destinations', { to: Array.from({ length: 51 }, (_, n) => `a${n}@example.com`) }],
    ['a destination that would be read as a pattern', { to: ['*@example.com'] }],
  ])('are not suggested for a call with %s', (_, destinations) => {
    expect(suggestConstraints(destinations)).toEqual([])
  })

  it.each([
    ['nothing', {}, /between 1 and 50/],
    ['a star alone', { to: ['*'] }, /exact value, \*@domain or \*\.host/],
    ['a star inside', { to: ['a*@example.com'] }, /exact value/],
    ['a whole top-level domain', { to: ['*@com'] }, /exact value/],
    ['a blank', { to: [''] }, /exact value/],
    ['another argument', { subject: ['Tea'] }, /"subject" is not a destination of this call.*: to\./],
    ['another domain', { to: ['*@evil.test'] }, /do not match this call/],
  ])('of an answer with %s are refused in words', (_, constraints, words) => {
    expect(checkConstraints(constraints, [{ to: ['ada@example.com'] }])).toMatch(words)
  })

  it('of an answer are accepted when they fit the call, and refused for a call without destinations', () => {
    expect(
      checkConstraints({ to: ['*@example.com', 'x@y.test'] }, [{ to: ['ada@example.com'] }]),
    ).toBeUndefined()
    expect(checkConstraints({ to: ['*@example.com'] }, [])).toMatch(/no destination/)
  })

  it('of a megabyte are read in linear time', () => {
    const started = performance.now()
    for (const value of ['a.'.repeat(500_000), 'a'.repeat(1_000_000), `${'a@'.repeat(500_000)}b.c`])
      for (const pattern of ['*@example.com', '*.example.com']) matchesDestination(pattern, value)
    expect(performance.now() - started).toBeLessThan(500)
  })
})
