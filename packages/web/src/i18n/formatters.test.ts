import { describe, expect, it } from 'vitest'
import { formattersFor as formattersIn } from './formatters.ts'
import type { Formatters } from './formatters.ts'
import type { Language } from './language.ts'
import { LANGUAGE_CODES } from './language.ts'

/** Independent of the language of the machine. */
const NO_WISHES: readonly string[] = []
const formattersFor = (language: Language): Formatters => formattersIn(language, NO_WISHES)

const format = formattersFor('en')
const AT = new Date(2026, 10, 16, 14, 5).getTime()
const plain = (text: string): string => text.replaceAll(/[\u00a0\u202f]/g, ' ')

describe('formatters', () => {
  it('are created once per language', () => {
    expect(formattersFor('de')).toBe(formattersFor('de'))
    expect(formattersFor('de')).not.toBe(formattersFor('fr'))
  })

  it('format dates', () => {
    expect(format.date(AT)).toBe('Nov 16, 2026')
    expect(plain(format.time(AT))).toBe('2:05 PM')
    expect(formattersFor('de').dateTime(AT)).toBe('16.11.2026, 14:05')
    expect(format.day('2026-11-16')).toBe('Nov 16')
    expect(format.month(AT)).toBe('November 2026')
    expect(formattersFor('ja').day('2026-11-16')).toBe('11月16日')
  })

  it('format times for the region of the browser', () => {
    const british = formattersIn('en', ['en-GB'])
    expect(british.time(AT)).toBe('14:05')
    expect(british.date(AT)).toBe('16 Nov 2026')
    expect(formattersIn('de', ['en-GB']).date(AT)).toBe('16.11.2026')
  })

  it('format how long ago something was', () => {
    const ago = (ms: number): string => format.relative(AT - ms, AT)
    expect(ago(20_000)).toBe('now')
    expect(ago(5 * 60_000)).toBe('5 minutes ago')
    expect(ago(-2 * 3_600_000)).toBe('in 2 hours')
    expect(ago(30 * 3_600_000)).toBe('yesterday')
    expect(formattersFor('es').relative(AT - 3 * 86_400_000, AT)).toBe('hace 3 días')
  })

  it('format numbers in the digits of the language', () => {
    expect(format.number(1234.5)).toBe('1,234.5')
    expect(formattersFor('de').number(1234.5)).toBe('1.234,5')
    expect(formattersFor('bn').number(123)).toBe('১২৩')
    expect(format.compact(12_300)).toBe('12.3K')
    expect(format.percent(0.255)).toBe('25.5%')
  })

  it('format money and keep the significant digits below ten cents', () => {
    expect(format.currency(0)).toBe('$0.00')
    expect(format.currency(1.5)).toBe('$1.50')
    expect(format.currency(0.00123)).toBe('$0.0012')
    expect(plain(formattersFor('fr').currency(0.042))).toBe('0,042 $')
  })

  it('format durations in at most two units', () => {
    const cases: readonly [number, string][] = [
      [0, '0 ms'],
      [339.6, '340 ms'],
      [999.7, '1 sec'],
      [3240, '3.2 sec'],
      [59_970, '1 min'],
      [125_000, '2 min 5 sec'],
      [3_600_000, '1 hr'],
      [3_850_000, '1 hr 4 min'],
      [86_399_400, '23 hr 59 min'],
      [86_399_600, '1 day'],
      [100_000_000, '1 day 3 hr'],
      [172_799_600, '2 days'],
      [604_740_000, '7 days'],
    ]
    expect(cases.map(([ms]) => format.duration(ms))).toEqual(cases.map(([, text]) => text))
  })

  it('format sizes', () => {
    expect(format.bytes(0)).toBe('0 byte')
    expect(format.bytes(999)).toBe('999 byte')
    expect(format.bytes(3_400_000)).toBe('3.4 MB')
    expect(plain(formattersFor('de').bytes(1500))).toBe('1,5 kB')
  })

  it('format lists', () => {
    expect(format.list(['a', 'b', 'c'])).toBe('a, b, and c')
    expect(formattersFor('de').list(['a', 'b', 'c'])).toBe('a, b und c')
  })

  it.each(LANGUAGE_CODES)('format every kind of value in %s', (language) => {
    const own = formattersFor(language)
    const all = [
      own.date(AT),
      own.relative(AT - 60_000, AT),
      own.currency(0.5),
      own.duration(125_000),
      own.duration(604_740_000),
      own.bytes(2_000_000),
      own.list(['x', 'y']),
    ]
    expect(all.filter((text) => text === '' || /NaN|Invalid|undefined/.test(text))).toEqual([])
  })
})
