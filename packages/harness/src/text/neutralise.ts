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
  readonly pattern: RegExp
  readonly instead: (found: string) => string
}

/** Each mark, and what stands in its place. */
const MARKS: readonly Mark[] = [
  {
    // Tags that have a meaning to us or to a model: the frame, calls, results, the ends of turns.
    pattern: written(
      String.raw`<(?=[\s/]{0,4}(?:untrusted|(?:tool|function)[_-]?(?:call|result|response|output)s?|invoke|system|start_of_turn|end_of_turn)\b|\||<SYS>)`,
      'gi',
    ),
    instead: () => '&lt;',
  },
  { pattern: written('notice from capstan', 'gi'), instead: () => 'quoted text, not a notice' },
  {
    pattern: written('message sent while you were working', 'gi'),
    instead: () => 'quoted text, not a message',
  },
  { pattern: /\[(?=\/?[il]nst\])/gi, instead: () => '(' },
  { pattern: /^\s{0,4}(?:Human|Assistant):/gm, instead: (found) => found.replace(/\w+/, '($&)') },
]

/** Letters that only a program sees. A model may read them as plain ones. */
const TAG_LETTERS = /[\u{e0000}-\u{e007f}]/gu
const PLAIN_TEXT = /^[\0-\x7f]*$/ // oxlint-disable-line no-control-regex

/**
 * Foreign text without what could pass as a line of the harness, as the end of its frame, as a call or as another
 * speaker, also in look-alike letters or with invisible ones in between. What is changed stays visible. The same text
 * gives the same result; a second time changes nothing. Pure.
 */
export function neutralise(text: string): string {
  if (PLAIN_TEXT.test(text)) {
    return MARKS.reduce((shown, { pattern, instead }) => shown.replaceAll(pattern, instead), text)
  }
  const seen = text.replaceAll(TAG_LETTERS, '')
  const folded = foldText(seen)
  const edits = MARKS.flatMap(({ pattern, instead }) =>
    [...folded.text.matchAll(pattern)].map(({ 0: found, index }) => ({
      start: folded.placeOf(index)[0],
      end: folded.placeOf(index + found.length - 1)[1],
      instead: instead(found),
    })),
  ).toSorted((a, b) => a.start - b.start)
  let shown = ''
  let at = 0
  for (const { start, end, instead } of edits) {
    if (start >= at) shown += seen.slice(at, start) + instead
    at = Math.max(at, end)
  }
  return shown + seen.slice(at)
}
