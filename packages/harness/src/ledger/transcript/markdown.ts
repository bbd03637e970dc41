// Puts untrusted text into a Markdown page without letting it change the page around it.

/** Wraps text in a code block that nothing in the text can close. */
export function fence(text: string, language: string): string {
  const runs = text.match(/`{3,}/g) ?? []
  const ticks = '`'.repeat(Math.max(3, ...runs.map(({ length }) => length + 1)))
  return `${ticks}${language}\n${text.replace(/\n$/, '')}\n${ticks}`
}

/** Turns text into a block quote. Every block opened in it ends with it. */
export function quote(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n')
}

/** Escapes tags and entities. */
export function toHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

/** Escapes tags and entities and puts the text on one line, as for a heading. */
export const toHtmlLine = (text: string): string => toHtml(text.replaceAll(/\s+/g, ' ').trim())

/**
 * Puts text that may itself be Markdown into blocks of its own: its headings move below those of the page, and its
 * tags are escaped. When it is uncertain where a code block in it ends, the whole text is shown in a fence.
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
    // Where a fence inside a list or a quote ends depends on the lines around it.
    else if (NESTED_FENCE.test(line)) return fence(text, 'text')
    else safe.push(...neutralise(line, safe.at(-1)))
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

function neutralise(line: string, above: string | undefined): readonly string[] {
  const words = line
    .replace(
      HEADING,
      (_, indent: string, marks: string) => `${indent}${'#'.repeat(Math.min(6, marks.length + 2))}`,
    )
    .replaceAll(TAG, '&lt;')
  // An underline below text would turn the text into a heading.
  return UNDERLINE.test(line) && above !== undefined && above.trim() !== '' ? ['', words] : [words]
}
