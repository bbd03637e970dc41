import { describe, expect, it } from 'vitest'
import { findExcerpt, markLine } from './find-excerpt.ts'

const marked = (text: string, query: string): string =>
  findExcerpt(text, query)
    .map((part) => (part.isMatch ? `[${part.text}]` : part.text))
    .join('')

describe('an excerpt', () => {
  it('marks words in any case, in other forms and without accents', () => {
    expect(marked('The Boilers were serviced at the café.', 'boiler service CAFE')).toBe(
      'The [Boilers] were [serviced] at the [café].',
    )
    expect(marked('Die Heizung in Zürich', 'zurich')).toBe('Die Heizung in [Zürich]')
    expect(marked('Канаты и лебёдка', 'канат')).toBe('[Канаты] и лебёдка')
    expect(marked('The boiler', 'boilr')).toBe('The [boiler]')
  })

  it('marks references whole and in parts', () => {
    expect(marked('Invoice RE-2201-77 is paid.', 're-2201-77')).toBe('Invoice [RE-2201-77] is paid.')
    expect(marked('Invoice RE-2201-77 is paid.', '2201')).toContain('[2201]')
  })

  it('marks an Arabic word with its article, and Japanese inside of a sentence', () => {
    expect(marked('تم إصلاح الغلاية أمس', 'غلاية')).toBe('تم إصلاح [الغلاية] أمس')
    expect(marked('昨日、給湯器を点検しました。', '給湯器')).toBe('昨日、[給湯器]を点検しました。')
  })

  it('leaves out short words, unless there is nothing else', () => {
    expect(marked('It is in the box of Bo', 'of the boxes in it')).not.toContain('[in]')
    expect(marked('We go to it', 'it')).toBe('We go to [it]')
  })

  it('of a long text shows where most of the query stands, cut at words', () => {
    const text = `${'The boiler is old. '.repeat(40)}The boiler at the harbour was serviced. ${'More words. '.repeat(60)}`
    const shown = marked(text, 'boiler harbour serviced')
    expect(shown).toContain('[boiler] at the [harbour] was [serviced]')
    expect(shown).toMatch(/^…\S.*…$/)
    expect(shown.length).toBeLessThan(340)
  })

  it('of a text without the words shows its beginning, as one line', () => {
    expect(marked('One\n\ttwo\u202e three', 'nothing')).toBe('One two three')
    expect(marked('a'.repeat(1_000), 'b')).toMatch(/^a+…$/)
    expect(findExcerpt('', 'b')).toEqual([])
  })

  it('never cuts a character in two', () => {
    const text = `${'😀'.repeat(400)} boiler ${'😀'.repeat(400)}`
    expect(findExcerpt(text, 'boiler').every(({ text: part }) => part.isWellFormed())).toBe(true)
  })
})

it('a marked line is the whole line', () => {
  const parts = markLine('The boiler of Bo', 'boiler', 100)
  expect(parts).toEqual([
    { text: 'The ', isMatch: false },
    { text: 'boiler', isMatch: true },
    { text: ' of Bo', isMatch: false },
  ])
})
