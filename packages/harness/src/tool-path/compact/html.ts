import type { Compactor } from './compactor.ts'
import { decodeEntities } from '../../text/decode-entities.ts'
import { ReadableText } from './readable-text.ts'

const DOCUMENT =
  /^\s*(?:<\?xml[^>]{0,200}>\s*)?(?:<!--[^>]{0,500}-->\s*)?<(?:!doctype html|html|head|body)\b/i
const FRAGMENT =
  /^\s*<(?:div|p|table|section|article|main|header|nav|ul|ol|h[1-6]|span|center|form|blockquote)\b/i
const UNREAD = new Map(
  ['script', 'style', 'noscript', 'template', 'svg', 'math', 'iframe', 'object', 'canvas'].map((name) => [
    name,
    new RegExp(`</${name}\\b`, 'gi'),
  ]),
)
const BLOCKS = new Set(
  (
    'address article aside blockquote body dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 ' +
    'h6 header hr html li main nav ol option p pre section summary table tbody tfoot thead title tr ul'
  ).split(' '),
)
const MAX_ADDRESS = 200

/** A page becomes what a person would read of it, links included; scripts, styles, drawings and comments go. */
export const htmlCompactor: Compactor = {
  recognises: (text) =>
    DOCUMENT.test(text.slice(0, 1_024)) || (FRAGMENT.test(text.slice(0, 256)) && text.includes('</')),
  tidy: (text) => text,
  shorten: toReadable,
}

function toReadable(html: string): string {
  const page = new ReadableText()
  let link: string | undefined
  let at = 0
  for (let open = html.indexOf('<'); open >= 0; open = html.indexOf('<', Math.max(at, open + 1))) {
    const tag = /^<(\/?)([a-z][a-z\d]*)|^<[!?]/i.exec(html.slice(open, open + 24))
    if (!tag) continue
    page.add(decodeEntities(html.slice(at, open)))
    at = endOfTag(html, open)
    if (tag[2] === undefined) continue
    const name = tag[2].toLowerCase()
    const isEnd = tag[1] === '/'
    const closing = isEnd || html[at - 2] === '/' ? undefined : UNREAD.get(name)
    if (closing) at = endOfUnread(html, at, closing)
    else if (name === 'a') {
      if (isEnd && link !== undefined) page.add(` (${link})`)
      link = isEnd ? undefined : addressOf(html.slice(open, at))
    } else if (name === 'br') page.breakLine()
    else if (name === 'td' || name === 'th') page.add(isEnd ? ' ' : ' | ')
    else if (BLOCKS.has(name)) {
      page.breakLine()
      if (name === 'pre') page.keepsSpace = !isEnd
      if (!isEnd) page.add(markOf(name))
    }
  }
  page.add(decodeEntities(html.slice(at)))
  // An application that draws itself by a script has none.
  return page.end() || '[the page has no text to read]'
}

function markOf(block: string): string {
  if (block === 'li') return '- '
  return /^h[1-6]$/.test(block) ? `${'#'.repeat(Number(block[1]))} ` : ''
}

/** Behind the tag or comment that opens at `open`; the end of the text when it never closes. */
function endOfTag(html: string, open: number): number {
  if (html.startsWith('<!--', open)) return behind(html.indexOf('-->', open + 4), 3, html)
  let at = open + 1
  while (at < html.length && html[at] !== '>') {
    const char = html.charAt(at)
    const close = (char === '"' || char === "'") && html[at - 1] === '=' ? html.indexOf(char, at + 1) : at
    // An attribute that never closes does not take the rest of the page with it.
    if (close < 0) return behind(html.indexOf('>', at), 1, html)
    at = close + 1
  }
  return Math.min(at + 1, html.length)
}

function endOfUnread(html: string, from: number, closing: RegExp): number {
  closing.lastIndex = from
  return closing.exec(html)?.index ?? html.length
}

const behind = (index: number, length: number, html: string): number =>
  index < 0 ? html.length : index + length

function addressOf(tag: string): string | undefined {
  const match = /\shref\s{0,9}=\s{0,9}(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i.exec(tag.slice(0, 4_096))
  const address = decodeEntities(match?.[1] ?? match?.[2] ?? match?.[3] ?? '').trim()
  return address === '' || address.length > MAX_ADDRESS || /^(?:#|javascript:|data:)/i.test(address)
    ? undefined
    : address
}
