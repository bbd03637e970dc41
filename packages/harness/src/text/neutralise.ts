import { foldText } from './fold-text.ts'

/** What a line of the harness begins with when a model reads it. */
export const NOTICE_MARK = '[Notice from Capstan]'

/** What a message begins with that the user sent while the model was working. */
export const STEER_MARK = '[Message sent while you were working]'

/** The element around untrusted text. */
export const UNTRUSTED = 'untrusted'

/** How a mark may be written: an `i` looks like an `l`, and blanks may be of any kind. */
const written = (words: string, flags: string): RegExp =>
  new RegExp(words.replaceAll(/(?<!\\)[il]/g, '[il]').replaceAll(' ', String.raw`\s{0,8}`), flags)

interface Mark {
  /** Whether the mark may be in a text of plain letters. It is asked of every text, so it must be quick. */
  readonly mayBeIn: (plain: string) => boolean
  readonly pattern: RegExp
  readonly instead: (found: string) => string
}

/** Each mark, and what stands in its place. */
const MARKS: readonly Mark[] = [
  {
    // Tags that have a meaning to us or to a model: the frame, calls, results, the ends of turns.
    mayBeIn: (plain) => plain.includes('<'),
    pattern: written(
      String.raw`<(?=[\s/]{0,4}(?:untrusted|(?:tool|function)[_-]?(?:call|result|response|output)s?|invoke|system|start_of_turn|end_of_turn)\b|\||<SYS>)`,
      'gi',
    ),
    instead: () => '&lt;',
  },
  {
    mayBeIn: (plain) => /capstan/i.test(plain),
    pattern: written('notice from capstan', 'gi'),
    instead: () => 'quoted text, not a notice',
  },
  {
    mayBeIn: (plain) => /message\s{0,8}sent/i.test(plain),
    pattern: written('message sent while you were working', 'gi'),
    instead: () => 'quoted text, not a message',
  },
  { mayBeIn: (plain) => /nst\]/i.test(plain), pattern: /\[(?=\/?[il]nst\])/gi, instead: () => '(' },
  {
    mayBeIn: (plain) => plain.includes('Human:') || plain.includes('Assistant:'),
    pattern: /^\s{0,4}(?:Human|Assistant):/gm,
    instead: (found) => found.replace(/\w+/, '($&)'),
  },
]

/** Letters that only a program sees. A model may read them as plain ones. */
const TAG_LETTERS = /[\u{e0000}-\u{e007f}]/gu
const OTHER_LETTERS = /[^\0-\x7f]+/g // oxlint-disable-line no-control-regex

/** More plain letters than a mark has, blanks included. */
const MARK_CHARS = 96

/**
 * Foreign text without what could pass as a line of the harness, as the end of its frame, as a call or as another
 * speaker, also in look-alike letters or with invisible ones in between. What is changed stays visible. The same text
 * gives the same result; a second time changes nothing. Pure.
 */
export function neutralise(text: string): string {
  if (Buffer.byteLength(text) === text.length) {
    return MARKS.reduce(
      (shown, { mayBeIn, pattern, instead }) => (mayBeIn(shown) ? shown.replaceAll(pattern, instead) : shown),
      text,
    )
  }
  const seen = text.replaceAll(TAG_LETTERS, '')
  return replaceEdits(seen, [...findPlain(seen), ...findDisguised(seen)])
}

interface Edit {
  readonly start: number
  readonly end: number
  readonly instead: string
}

/** Marks in plain letters. */
function findPlain(text: string): readonly Edit[] {
  return MARKS.filter(({ mayBeIn }) => mayBeIn(text)).flatMap(({ pattern, instead }) =>
    Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
      start: index,
      end: index + found.length,
      instead: instead(found),
    })),
  )
}

/** Marks with other letters in them. Only the text around such letters is folded. */
function findDisguised(text: string): readonly Edit[] {
  return windowsOf(text).flatMap(([from, to]) => {
    const folded = foldText(text.slice(from, to))
    return MARKS.flatMap(({ pattern, instead }) =>
      Array.from(folded.text.matchAll(pattern))
        // A window begins with plain letters; what stands there in a line is not at the start of it.
        .filter(({ index }) => index > 0 || from === 0)
        .map(({ 0: found, index }) => ({
          start: from + folded.placeOf(index)[0],
          end: from + folded.placeOf(index + found.length - 1)[1],
          instead: instead(found),
        })),
    )
  })
}

/** The parts of a text that are near letters that are not plain. */
function windowsOf(text: string): readonly (readonly [from: number, to: number])[] {
  const windows: [number, number][] = []
  for (const { 0: others, index } of text.matchAll(OTHER_LETTERS)) {
    const to = Math.min(text.length, index + others.length + MARK_CHARS)
    const last = windows.at(-1)
    if (last && index - MARK_CHARS <= last[1]) last[1] = to
    else windows.push([Math.max(0, index - MARK_CHARS), to])
  }
  return windows
}

/** Of edits that overlap, the first one counts. */
function replaceEdits(text: string, edits: readonly Edit[]): string {
  let shown = ''
  let at = 0
  for (const { start, end, instead } of edits.toSorted((a, b) => a.start - b.start)) {
    if (start >= at) shown += text.slice(at, start) + instead
    at = Math.max(at, end)
  }
  return shown + text.slice(at)
}
