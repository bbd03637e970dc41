import { UNTRUSTED } from '../../../text/neutralise.ts'
import type { Reading, ReplySource } from './reply-source.ts'

/** Markup that has a meaning in a reply. */
export interface Markup {
  readonly type:
    | 'call-open'
    | 'call-close'
    /** Some models put it around calls. It has no meaning of its own. */
    | 'wrapper-open'
    | 'wrapper-close'
    /** Around text that is shown or quoted and never run. */
    | 'quote-open'
    | 'quote-close'
    | 'comment'
    | 'cdata'
  readonly name: string
  readonly attributes: string
  readonly selfClosing: boolean
  /** The offset after it. */
  readonly end: number
}

/** The names of call tags, and the labels of fences that hold a call. */
export const CALL_NAMES: readonly string[] = ['tool_call', 'toolcall', 'tool-call', 'invoke']
const WRAPPER_NAMES: readonly string[] = ['tool_calls', 'function_calls']
/** Text inside these elements is a quotation or an example. */
const QUOTE_NAMES: readonly string[] = [
  'code',
  'pre',
  'blockquote',
  'quote',
  'example',
  'examples',
  'think',
  'thinking',
  UNTRUSTED,
]
const PASTED_OUTPUT: readonly string[] = ['tool', 'function'].flatMap((source) =>
  ['result', 'results', 'response', 'responses', 'output', 'outputs'].flatMap((what) =>
    ['_', '-', ''].map((joint) => `${source}${joint}${what}`),
  ),
)

type Kind = 'call' | 'wrapper' | 'quote'
const KINDS: ReadonlyMap<string, Kind> = new Map([
  ...[...QUOTE_NAMES, ...PASTED_OUTPUT].map((name): [string, Kind] => [name, 'quote']),
  ...WRAPPER_NAMES.map((name): [string, Kind] => [name, 'wrapper']),
  ...CALL_NAMES.map((name): [string, Kind] => [name, 'call']),
])
const ALL_NAMES: readonly string[] = [...KINDS.keys()]

/** The longest tag. Limits how much text is held back and read again while a tag is incomplete. */
const MAX_TAG_CHARS = 512
const TAG = /^<(\/?)([A-Za-z][\w-]*)(\s[^<>]*|\/)?>/
const UNFINISHED_NAME = /^<\/?([A-Za-z][\w-]*)?$/
const UNFINISHED_TAG = /^<\/?([A-Za-z][\w-]*)(?:\s[^<>]*|\/)$/
const COMMENT = '<!--'
const CDATA = '<![CDATA['

/**
 * The markup that the `<` at this offset begins. `unfinished`: more of the reply is needed to decide. Call tags match
 * only in the letter case the instructions use; quoting elements match in any case.
 */
export function markupAt(text: string, at: number, ended: boolean): Markup | 'unfinished' | undefined {
  const ahead = text.slice(at, at + MAX_TAG_CHARS)
  if (ahead.startsWith(COMMENT)) return bare('comment', at + COMMENT.length)
  if (ahead.startsWith(CDATA)) return bare('cdata', at + CDATA.length)
  const tag = TAG.exec(ahead)
  if (tag) {
    const [whole, slash = '', written = '', rest = ''] = tag
    const kind = kindOf(written)
    if (!kind) return undefined
    return {
      type: slash ? `${kind}-close` : `${kind}-open`,
      name: kind === 'quote' ? written.toLowerCase() : written,
      attributes: rest,
      selfClosing: rest.endsWith('/'),
      end: at + whole.length,
    }
  }
  const mayGrow = !ended && at + ahead.length === text.length && ahead.length < MAX_TAG_CHARS
  return mayGrow && isUnfinished(ahead) ? 'unfinished' : undefined
}

function bare(type: 'comment' | 'cdata', end: number): Markup {
  return { type, name: '', attributes: '', selfClosing: false, end }
}

function kindOf(name: string): Kind | undefined {
  const kind = KINDS.get(name) ?? KINDS.get(name.toLowerCase())
  return kind === 'quote' ? kind : KINDS.get(name)
}

/** Whether this name is a call tag, a wrapper or a quoting element. */
export function isKnownName(name: string): boolean {
  return KINDS.has(name)
}

function isUnfinished(ahead: string): boolean {
  if (COMMENT.startsWith(ahead) || CDATA.startsWith(ahead)) return true
  const name = UNFINISHED_NAME.exec(ahead)
  if (name) {
    const begun = (name[1] ?? '').toLowerCase()
    return ALL_NAMES.some((known) => known.startsWith(begun))
  }
  const written = UNFINISHED_TAG.exec(ahead)?.[1]
  return written !== undefined && kindOf(written) !== undefined
}

const NAME_ATTRIBUTE = /\sname\s*=\s*(?:"([^"]*)"|'([^']*)')/

/** The value of the `name` attribute. */
export function nameIn(attributes: string): string | undefined {
  const found = NAME_ATTRIBUTE.exec(attributes)
  return found ? (found[1] ?? found[2]) : undefined
}

/** The markup at the current position of the source, if there is one. */
export function* peekMarkup(source: ReplySource): Reading<Markup | undefined> {
  for (;;) {
    if (source.text.charAt(source.at) !== '<') return undefined
    const markup = markupAt(source.text, source.at, source.ended)
    if (markup !== 'unfinished') return markup
    yield
  }
}
