import { describe, expect, it } from 'vitest'
import { MarkupCleaner } from './clean-markup.ts'

/** Cleaned in pieces of one size. */
function clean(text: string, size = text.length || 1): string {
  const cleaner = new MarkupCleaner()
  let cleaned = ''
  for (let at = 0; at < text.length; at += size) cleaned += cleaner.push(text.slice(at, at + size))
  return cleaned + cleaner.end()
}

const BASE64 = 'iVBORw0KGgo+/='.repeat(2_000)

const CASES: readonly (readonly [string, string, string])[] = [
  ['scripts', 'a<script type="x">if (a < b) { alert("</p>") }</script>b', 'ab'],
  ['scripts that never end', 'a<script>rest', 'a'],
  ['styles', '<style>p { color: red }</style>text', 'text'],
  ['drawings', 'one <svg width="1"><path d="M0 0"/></svg> two', 'one two'],
  ['comments', 'one<!-- a > b --> two', 'one two'],
  [
    'tags, keeping paragraphs apart',
    '<div><p>One.</p><p class="x">Two <b>bold</b>.</p></div>',
    'One.\nTwo bold.',
  ],
  ['cells', '<tr><td>1</td><td>2</td></tr>', '1 2'],
  ['a document', '<!DOCTYPE html><html><head><title>T</title></head><body>B</body></html>', 'T\nB'],
  ['data in addresses', `see data:image/png;base64,${BASE64} there`, 'see there'],
  ['data in a tag', `a<img alt="x" src="data:image/png;base64,${BASE64}">b`, 'ab'],
  ['white space', '  a \t\t b\n\n\n   c  ', 'a b\nc'],
  ['character references', 'Tom &amp; Jerry&nbsp;&#8364;', 'Tom & Jerry €'],
  [
    'markup inside JSON',
    '{"body":"<div class=\\"m\\">Hi <b>Ada</b></div>","n":1}',
    '{"body":"\nHi Ada\n","n":1}',
  ],
]

const KEPT = [
  'Map<string, number> and a < b > c',
  'Ada <ada@example.org> wrote to <bob@example.org>',
  '<name>Ada</name>',
  'metadata:image/png,is no address',
  'data: see a/b, and c',
  'if x <b and y',
  'emoji 😀 and ünïcode 漢字',
]

describe('cleaning markup', () => {
  it.each(CASES)('removes %s', (_what, text, cleaned) => {
    expect(clean(text)).toBe(cleaned)
  })

  it.each(KEPT)('keeps words: %s', (text) => {
    expect(clean(text)).toBe(text)
  })

  it.each([1, 2, 3, 7, 64, 255, 1_000])('gives the same for any cut of the text: %i at a time', (size) => {
    const text = [...CASES.map(([, given]) => given), ...KEPT].join(' | ')
    expect(clean(text.replace('<script>rest', ''), size)).toBe(clean(text.replace('<script>rest', '')))
  })

  it('takes time linear in the text', () => {
    for (const hostile of ['<b ', '<', '&', 'data:', '<!--', '<script>', '<div class="', ' ', '<p>']) {
      const time = (times: number) => {
        const began = performance.now()
        clean(hostile.repeat(times), 65_536)
        return performance.now() - began
      }
      time(10_000)
      expect(time(200_000), hostile).toBeLessThan(2_500)
    }
  })

  it('holds little of a text, also inside an unclosed element', () => {
    const cleaner = new MarkupCleaner()
    cleaner.push('<svg>')
    for (let n = 0; n < 50; n++) expect(cleaner.push('x'.repeat(65_536))).toBe('')
    expect(cleaner.end()).toBe('')
  })
})
