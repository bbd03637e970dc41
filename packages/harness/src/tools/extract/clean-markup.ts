import { decodeEntities } from '../../text/decode-entities.ts'

/** Elements whose content is not for reading. */
const UNREAD = new Set('script style noscript template svg math iframe object canvas'.split(' '))
const BLOCKS = new Set(
  (
    'address article aside blockquote body br center dd details dialog div dl dt fieldset figcaption figure footer form ' +
    'h1 h2 h3 h4 h5 h6 head header hr html li main menu nav ol option p pre section summary table tbody tfoot thead ' +
    'title tr ul'
  ).split(' '),
)
const CELLS = new Set(['td', 'th'])
/** Only what is known to be markup is taken off: `Map<string>` and `<ada@example.org>` are words. */
const OTHERS = new Set(
  (
    'a abbr acronym area audio b base bdi bdo big button caption cite code col colgroup data datalist del dfn em embed ' +
    'font frame frameset i img input ins kbd label legend link map mark meta meter nobr optgroup output param picture ' +
    'progress q rp rt ruby s samp select small source span strike strong sub sup textarea time track tt u var video wbr'
  ).split(' '),
)

const TAG = /<(\/?)([a-z][a-z\d]{0,10})(?=[\s/>\\])/iy
const DATA = /data:[\w.+-]{1,60}\/[\w.+-]{1,60}(?:;[\w=.+-]{1,30}){0,3},/iy
const DATA_END = /[^\w+/=%.~!*()-]/g
/** So much of a text must be there to know what begins at a place. */
const AHEAD_CHARS = 256
/** A tag that is longer without ending is none, unless it carries data. */
const MAX_TAG_CHARS = 8_192

type State = { readonly in: 'text' } | Skipped
type Skipped =
  | { readonly in: 'comment' | 'data' | 'endless-tag' }
  | { readonly in: 'unread'; readonly end: RegExp }

const TEXT: State = { in: 'text' }

/**
 * Takes what is not for reading out of a text that comes in pieces: scripts, styles, drawings, comments, tags, data in
 * addresses, white space beyond one. The same text comes out however it was cut. Holds a few kilobytes at most, and
 * its time grows with the length of the text and no faster.
 */
export class MarkupCleaner {
  #state: State = TEXT
  #pending = ''
  #space = ''
  #hasBegun = false

  push(piece: string): string {
    this.#pending += piece
    return this.#work(false)
  }

  end(): string {
    return this.#work(true)
  }

  #work(isLast: boolean): string {
    const out: string[] = []
    for (let before = Infinity; before !== this.#pending.length;) {
      // Nothing taken and nothing changed: more has to come first.
      before = this.#pending.length
      const state = this.#state
      if (state.in === 'text') this.#readText(out, isLast)
      else this.#skip(state, isLast)
      if (state !== this.#state) before = Infinity
    }
    return out.join('')
  }

  #readText(out: string[], isLast: boolean): void {
    const text = this.#pending
    const known = isLast ? text.length : text.length - AHEAD_CHARS
    let from = 0
    MARK.lastIndex = 0
    for (let mark = MARK.exec(text); mark && mark.index < known; mark = MARK.exec(text)) {
      const opening = openingAt(text, mark.index, isLast)
      if (!opening) continue
      if (opening === 'wait') {
        this.#emit(out, text.slice(from, mark.index))
        this.#pending = text.slice(mark.index)
        return
      }
      this.#emit(out, text.slice(from, mark.index))
      if (opening.leaves !== '') this.#space = widest(this.#space, opening.leaves)
      from = mark.index + opening.length
      if (opening.state !== TEXT) {
        this.#state = opening.state
        this.#pending = text.slice(from)
        return
      }
      MARK.lastIndex = from
    }
    const to = isLast ? text.length : Math.max(from, endBeforeEntity(text, known))
    this.#emit(out, text.slice(from, to))
    this.#pending = text.slice(to)
  }

  #skip(state: Skipped, isLast: boolean): void {
    const end = state.in === 'unread' ? state.end : ENDS[state.in]
    end.lastIndex = 0
    const found = end.exec(this.#pending)
    if (found) {
      // Data ends before what is no part of it, everything else behind its own mark.
      this.#pending = this.#pending.slice(state.in === 'data' ? found.index : found.index + found[0].length)
      this.#state = state.in === 'unread' ? { in: 'endless-tag' } : TEXT
    } else {
      this.#pending = isLast
        ? ''
        : this.#pending.slice(state.in === 'data' ? this.#pending.length : -MARK_CHARS)
    }
  }

  #emit(out: string[], written: string): void {
    if (written === '') return
    const text = decodeEntities(written)
    const words = text.trim()
    if (words === '') {
      this.#space = widest(this.#space, text)
      return
    }
    const lead = text.slice(0, text.length - text.trimStart().length)
    const space = widest(this.#space, lead)
    if (this.#hasBegun) out.push(space)
    this.#hasBegun = true
    out.push(words.replaceAll(/\s+/g, (run) => widest('', run)))
    this.#space = widest('', text.slice(text.trimEnd().length))
  }
}

const MARK = /<|(?<!\w)data:/gi
const MARK_CHARS = 16
const ENDS = {
  comment: /-->/g,
  data: DATA_END,
  'endless-tag': />/g,
} as const

interface Opening {
  readonly length: number
  readonly state: State
  /** The white space it leaves behind. */
  readonly leaves: string
}

/** What begins here, if it is not for reading. `wait`: the tag may still end. */
function openingAt(text: string, at: number, isLast: boolean): Opening | 'wait' | undefined {
  if (text[at] !== '<') {
    DATA.lastIndex = at
    const data = DATA.exec(text)
    return data ? { length: data[0].length, state: { in: 'data' }, leaves: '' } : undefined
  }
  if (text.startsWith('<!--', at)) return { length: 4, state: { in: 'comment' }, leaves: '' }
  TAG.lastIndex = at
  const isDoctype = /^<!doctype\s/i.test(text.slice(at, at + 11))
  const tag = isDoctype ? null : TAG.exec(text)
  if (!tag && !isDoctype) return undefined
  const name = tag?.[2]?.toLowerCase() ?? 'html'
  const isUnread = UNREAD.has(name)
  if (!isUnread && !BLOCKS.has(name) && !CELLS.has(name) && !OTHERS.has(name)) return undefined
  const leaves = BLOCKS.has(name) ? '\n' : CELLS.has(name) ? ' ' : ''
  const end = endOfTag(text, at + 1)
  if (end === undefined) {
    if (text.length - at > MAX_TAG_CHARS || isLast) {
      const carriesData = text.slice(at, at + MAX_TAG_CHARS).includes('data:')
      return carriesData ? { length: 1, state: { in: 'endless-tag' }, leaves } : undefined
    }
    return 'wait'
  }
  if (text[end - 1] !== '>') return undefined
  const opensUnread = isUnread && tag?.[1] === '' && text[end - 2] !== '/'
  const state: State = opensUnread ? { in: 'unread', end: new RegExp(`</${name}(?![a-z\\d])`, 'gi') } : TEXT
  return { length: end - at, state, leaves }
}

/** Behind the `>`, or at a `<` that shows that it was no tag; undefined when neither comes soon. */
function endOfTag(text: string, from: number): number | undefined {
  for (let at = from; at < text.length && at < from + MAX_TAG_CHARS; at++) {
    if (text[at] === '>') return at + 1
    if (text[at] === '<') return at
  }
  return undefined
}

/** Before a character reference that may be cut in two there. */
function endBeforeEntity(text: string, at: number): number {
  if (at <= 0) return 0
  const start = text.lastIndexOf('&', at - 1)
  return start >= 0 && at - start < 12 ? start : at
}

function widest(one: string, other: string): string {
  if (one === '\n' || /[\n\r\u2028\u2029]/.test(other)) return '\n'
  return one === '' && other === '' ? '' : ' '
}
