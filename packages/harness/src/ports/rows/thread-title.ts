import { cutText } from '../../text/cut-text.ts'

const MAX_CHARS = 60

/** What a thread is called after its first question: the first line of it, cut at a word. Blank when nothing was said. */
export function toThreadTitle(text: string): string {
  // A line is looked for in the beginning only: what was pasted may be large.
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
