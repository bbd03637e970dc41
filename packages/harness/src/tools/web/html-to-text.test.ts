import { describe, expect, it } from 'vitest'
import { htmlToText } from './html-to-text.ts'

const BASE = new URL('https://example.com/docs/page')
const textOf = (html: string) => htmlToText(html, BASE).text

describe('a page as text', () => {
  it('loses its scripts, styles and comments and keeps its title, headings, lists and links', () => {
    const page = htmlToText(
      `<!DOCTYPE html><html><head><title> The &amp; title </title><style>p { color: red }</style>
       <SCRIPT>if (a < b) document.write("<p>no</p>")</SCRIPT></head>
       <body><h1>Heading</h1><!-- hidden <p>note</p> --><p>First   <b>bold</b>
       words, <a href="../about?a=1&amp;b=2">about us</a>.</p><ul><li>one</li><li><p>two</p></li></ul>
       <p>Last<br>line</p><noscript>Enable it</noscript><svg><text>drawn</text></svg></body></html>`,
      BASE,
    )
    expect(page.title).toBe('The & title')
    expect(page.text).toBe(
      [
        '# Heading',
        'First bold words, about us (https://example.com/about?a=1&b=2).',
        '- one',
        '- two',
        'Last\nline',
      ].join('\n\n'),
    )
  })

  it.each([
    ['<a href="#top">up</a>', 'up'],
    ['<a href="javascript:alert(1)">run</a>', 'run'],
    ['<a href="http://[broken">x</a>', 'x'],
    ['<a name=here>anchor</a>', 'anchor'],
    ["<a class='b' href=/plain>p</a>", 'p (https://example.com/plain)'],
    ['<a title="a > b" href="/x">y</a>', 'y (https://example.com/x)'],
    ['<img alt="a cat" src=cat.png> sits', 'a cat sits'],
    ['<table><tr><td>a</td><td>b</td></tr><tr><td>c</td></tr></table>', 'a b\n\nc'],
    ['5 < 6 &lt; 7 &#38; &#x41; &nbsp; &eacute; &unknown; &#0;', '5 < 6 < 7 & A é &unknown; \ufffd'],
    ['&toString; &valueOf;', '&toString; &valueOf;'],
    ['İ<script>x</script>after', 'İafter'],
    ['before <svg class=icon /> after', 'before after'],
    ['plain text', 'plain text'],
    ['', ''],
  ])('is correct for %j', (html, text) => {
    expect(textOf(html)).toBe(text)
  })

  it.each(['text <a href="unclosed', 'text <!-- no end <p>', 'text <script>never closed', 'text <'])(
    'ends safely for unclosed markup: %j',
    (html) => {
      expect(textOf(html)).toMatch(/^text( <)?$/)
    },
  )

  it.each([
    ['open brackets', '<'],
    ['open tags', '<a '],
    ['open comments', '<!--'],
    ['open scripts', '<script>'],
    ['quotes', '<a href="'],
    ['spaces in a tag', '<a href    '],
    ['empty elements with spaces', '<b> </b>'],
    ['ampersands', '&&&#'],
  ])('takes linear time for a long run of %s', (_what, piece) => {
    const bait = piece.repeat(250_000 / piece.length)
    const started = performance.now()
    textOf(bait)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
