import type { Reading, ReplySource } from './reply-source.ts'

/** A piece of markup that means something in a reply. */
export interface Markup {
  readonly type:
    | 'call-open'
    | 'call-close'
    /** Put around calls by some models; means nothing by itself. */
    | 'wrapper-open'
    | 'wrapper-close'
    /** Around text that is shown or quoted, never meant. */
    | 'quote-open'
    | 'quote-close'
    | 'comment'
    | 'cdata'
  readonly name: string
  readonly attributes: string
  readonly selfClosing: boolean
  /** Where the text after it begins. */
  readonly end: number
}

/** The names of call tags and of fences that hold a call. */
export const CALL_NAMES: readonly string[] = ['tool_call', 'toolcall', 'tool-call', 'invoke']
const WRAPPER_NAMES: readonly string[] = ['tool_calls', 'function_calls']
/** Whatever stands in one of these was said by somebody else, or is being shown. */
const QUOTE_NAMES: readonly string[] = [
  'code',
  'pre',
  'blockquote',
  'quote',
  'example',
  'examples',
  'think',
  'thinking',
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

/** A tag that is longer is none. Bounds what is held back and read again while a tag comes in. */
const MAX_TAG_CHARS = 512
const TAG = /^<(\/?)([A-Za-z][\w-]*)(\s[^<>]*|\/)?>/
const UNFINISHED_NAME = /^<\/?([A-Za-z][\w-]*)?$/
const UNFINISHED_TAG = /^<\/?([A-Za-z][\w-]*)(?:\s[^<>]*|\/)$/
const COMMENT = '<!--'
const CDATA = '<![CDATA['

/**
 * What the `<` at this place begins. `unfinished`: more of the reply may make it one. Call tags count only as
 * they are taught to the model; elements that quote are known in any case.
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

/** Whether these tags have a meaning of their own here. */
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

/** The markup that begins where the source stands, if one does. */
export function* peekMarkup(source: ReplySource): Reading<Markup | undefined> {
  for (;;) {
    if (source.text.charAt(source.at) !== '<') return undefined
    const markup = markupAt(source.text, source.at, source.ended)
    if (markup !== 'unfinished') return markup
    yield
  }
}
