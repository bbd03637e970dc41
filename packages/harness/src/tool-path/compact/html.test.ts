import { describe, expect, it } from 'vitest'
import { htmlCompactor } from './html.ts'
import { facts } from './outputs.fixture.ts'

const short = (text: string): string => htmlCompactor.shorten(text, facts())

describe('an HTML page', () => {
  it('is recognised by its beginning', () => {
    const begins = [
      '<!DOCTYPE html>',
      ' <html lang="en">',
      '<?xml version="1.0"?>\n<html>',
      '<div class="mail"></div>',
    ]
    for (const text of begins) expect(htmlCompactor.recognises(text, facts())).toBe(true)
    for (const text of ['a <b>bold</b> word', '<xml-feed><item/></xml-feed>', '<div without an end'])
      expect(htmlCompactor.recognises(text, facts())).toBe(false)
  })

  it('becomes its readable text', () => {
    const page = `<!doctype html><html><head><title>Ferry &amp; bus</title><style>p { color: red }</style>
      <script>document.write("<p>not me</p>")</script></head><body><!-- <p>nor me</p> -->
      <h2>Times</h2><p>From   <b>Split</b> to
      <a class=x href="https://ferries.example/vis?a=1&amp;b=2">Vis</a>.</p><svg><text>nor me</text></svg>
      <ul><li>08:00<li>12:00&#8211;13:00</ul><table><tr><th>Day</th><th>Price</th></tr><tr><td>Mon<td>4 &euro;</table>
      <pre>if (a) {
  b()
}</pre></body></html>`
    expect(short(page).split('\n')).toEqual([
      'Ferry & bus',
      '## Times',
      'From Split to Vis (https://ferries.example/vis?a=1&b=2).',
      '- 08:00',
      '- 12:00–13:00',
      '| Day | Price',
      '| Mon | 4 €',
      'if (a) {',
      '  b()',
      '}',
    ])
  })

  it('without text is described as such', () => {
    expect(short('<html><body><div id="root"></div><script src="/app.js"></script></body></html>')).toBe(
      '[the page has no text to read]',
    )
  })

  it('that is broken is read as far as possible', () => {
    expect(short('<html><p title="never closed>one</p><p>two</p> a < b <p')).toBe('one\ntwo\na < b')
    expect(short('<html>one<script>var unclosed = 1')).toBe('one')
  })

  it('loses addresses that lead nowhere', () => {
    expect(
      short(`<html><a href="#top">up</a> <a href='javascript:x()'>x</a> <a href=/next>next</a></html>`),
    ).toBe('up x next (/next)')
  })
})
