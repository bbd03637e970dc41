import { decodeEntities } from '../../text/decode-entities.ts'
import { TextFlow } from './text-flow.ts'

// Content that is not for reading. It ends at its own closing tag and nowhere else.
const UNREAD = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'math',
  'iframe',
  'object',
  'canvas',
  'select',
])
const BLOCKS = new Set(
  (
    'address article aside blockquote body dd details dialog div dl dt fieldset figcaption figure footer form h1 h2 h3 ' +
    'h4 h5 h6 header hr li main menu nav ol p pre section summary table tbody tfoot thead tr ul'
  ).split(' '),
)

/** A page as a person would read it aloud, with its links. */
export interface ReadablePage {
  readonly title: string
  readonly text: string
}

/**
 * Takes the tags off a page: scripts and styles go, paragraphs stay apart, a link keeps its address. Reads what is
 * broken as far as it goes, in time that grows with the length of the page and no faster. Pure; never throws.
 */
export function htmlToText(html: string, base: URL): ReadablePage {
  const flow = new TextFlow()
  // Not toLowerCase: it changes the length of some letters, and places must stay the same.
  const lower = html.replaceAll(/[A-Z]+/g, (letters) => letters.toLowerCase())
  let title = ''
  let link: string | undefined
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', Math.max(at, open + 1))) {
    if (!/[a-z/!?]/.test(lower[open + 1] ?? '')) continue
    flow.text(decodeEntities(html.slice(at, open)))
    const close = endOfTag(html, open)
    // A tag that never ends takes the rest of the page with it, as in a browser.
    if (close < 0) return { title, text: flow.end() }
    at = close + 1
    const tag = html.slice(open + 1, close)
    const name = /^\/?[a-z][a-z0-9:-]{0,30}/i.exec(tag)?.[0].toLowerCase() ?? ''
    // A drawing may close itself.
    const isEmpty = tag.endsWith('/') && (name === 'svg' || name === 'math')
    if (name === 'title' || (UNREAD.has(name) && !isEmpty)) {
      const end = lower.indexOf(`</${name}`, at)
      if (end < 0) return { title, text: flow.end() }
      if (name === 'title' && title === '')
        title = decodeEntities(html.slice(at, end)).replaceAll(/\s+/g, ' ').trim()
      at = end
    } else if (name === 'a') link = toAddress(attribute(tag, 'href'), base)
    else if (name === '/a') {
      if (link !== undefined) flow.text(` (${link})`)
      link = undefined
    } else if (name === 'img') flow.text(decodeEntities(attribute(tag, 'alt') ?? ''))
    else if (name === 'br') flow.breakLine()
    else if (name === 'li') flow.breakLine('- ')
    else if (name === 'td' || name === 'th') flow.text(' ')
    else if (/^h[1-6]$/.test(name)) flow.breakBlock(`${'#'.repeat(Number(name[1]))} `)
    else if (BLOCKS.has(name.replace('/', ''))) flow.breakBlock()
  }
  flow.text(decodeEntities(html.slice(at)))
  return { title, text: flow.end() }
}

// The closing bracket of a tag or comment, quotes in attributes minded.
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) {
    const end = html.indexOf('-->', open + 4)
    return end < 0 ? -1 : end + 2
  }
  for (let at = open + 1; at < html.length; at++) {
    const char = html[at]
    if (char === '>') return at
    if ((char === '"' || char === "'") && html[at - 1] === '=') {
      at = html.indexOf(char, at + 1)
      if (at < 0) return -1
    }
  }
  return -1
}

function attribute(tag: string, name: string): string | undefined {
  const match = new RegExp(`\\s${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i').exec(tag)
  return match ? (match[1] ?? match[2] ?? match[3]) : undefined
}

function toAddress(href: string | undefined, base: URL): string | undefined {
  const text = decodeEntities(href ?? '').trim()
  if (text === '' || text.startsWith('#') || !URL.canParse(text, base.href)) return undefined
  const url = new URL(text, base.href)
  return ['http:', 'https:', 'mailto:'].includes(url.protocol) ? url.href : undefined
}
