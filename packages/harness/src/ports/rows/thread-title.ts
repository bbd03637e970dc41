import { cutText } from '../../text/cut-text.ts'

const MAX_CHARS = 60

/** The title of a thread: the first line of its first question, cut at a word. Blank for a blank question. */
export function toThreadTitle(text: string): string {
  // Only the beginning is searched for a line: a pasted text may be large.
  const [line = ''] = text
    .slice(0, 10_000)
    .trimStart()
    .split(/[\n\v\f\r\u0085\u2028\u2029]/, 1)
  const clean = line
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  const cut = cutText(clean, MAX_CHARS)
  if (cut.length === clean.length || clean[cut.length] === ' ') return cut.trimEnd()
  const lastSpace = cut.lastIndexOf(' ')
  return lastSpace > 0 ? cut.slice(0, lastSpace) : cut
}
