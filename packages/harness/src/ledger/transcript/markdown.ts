// Somebody else's words as part of a Markdown page, in which they stay what they are.

/** A code block that nothing in the text can close. */
export function fence(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`
}

/** A block quote; whatever is opened in it ends with it. */
export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Nothing in it is a tag or an entity. */
export function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** The same on one line, as for a heading. */
export const toHtmlLine = (text: string): string => toHtml(text.replaceAll(/\s+/g, ' ').trim())

/**
 * Words that may be Markdown themselves, as blocks of their own: headings move below ours, tags are shown and not
 * obeyed. Where it cannot be told for certain that a block of code ends with them, they are shown as they were
 * written.
 */
export function toOwnBlock(text: string): string {
  const lines = text.replaceAll(/\r\n?/g, '\n').trim().split('\n')
  const safe: string[] = []
  let open: string | undefined
  for (const line of lines) {
    if (open !== undefined) {
      safe.push(line)
      if (closes(line, open)) open = undefined
      continue
    }
    open = FENCE.exec(line)?.[1]
    if (open !== undefined) safe.push(line)
    // A fence inside a list or a quote: where it ends depends on more than its lines.
    else if (NESTED_FENCE.test(line)) return fence(text, 'text')
    else safe.push(...calm(line, safe.at(-1)))
  }
  if (open !== undefined) safe.push(open)
  return safe.join('\n')
}

const FENCE = /^(`{3,}(?=[^`]*$)|~{3,})/
const NESTED_FENCE = /^[\s>*+\-\d.)]+(?:`{3}|~{3})/
const HEADING = /^( {0,3})(#{1,6})(?=\s|$)/
const UNDERLINE = /^ {0,3}(?:=+|-+)[ \t]*$/
const TAG = /<(?=[a-z/!?])/gi

function closes(line: string, open: string): boolean {
  const end = /^ {0,3}(`{3,}|~{3,})[ \t]*$/.exec(line)?.[1]
  return end !== undefined && end[0] === open[0] && end.length >= open.length
}

function calm(line: string, above: string | undefined): readonly string[] {
  const words = line
    .replace(
      HEADING,
      (_, indent: string, marks: string) => `${indent}${'#'.repeat(Math.min(6, marks.length + 2))}`,
    )
    .replaceAll(TAG, '&lt;')
  // Under a line of words it would make a heading of them.
  return UNDERLINE.test(line) && above !== undefined && above.trim() !== '' ? ['', words] : [words]
}
