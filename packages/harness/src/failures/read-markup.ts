const OPENS = /^\S{0,12}\s?<(?:!doctype|html|head|\?xml|body|error|h1)\b/i

/** A page or an XML answer, also behind a status code. */
export const isMarkup = (text: string): boolean => OPENS.test(text)

/** The words of an error page. Empty for a page about anything else. Pure; never throws. */
export function readMarkup(text: string, { isError = isErrorPage(text) } = {}): string {
  if (!isError) return ''
  const words = dropBlocks(text)
    .replace(/<[^<>]{0,400}>/g, '\n')
    .replace(/&(?:nbsp|#160);/g, ' ')
    .replace(/&(?:#39|apos);/g, "'")
  return linesOf(words).join('\n')
}

/** Drops what stands in style sheets and scripts. Each closing tag is looked for once, so the time is linear. */
function dropBlocks(text: string): string {
  const missing = new Set<string>()
  let kept = ''
  let from = 0
  for (const { 1: name, index } of text.matchAll(/<(style|script)\b/gi)) {
    const closing = name!.toLowerCase() === 'style' ? /<\/style>/gi : /<\/script>/gi
    if (index < from || missing.has(closing.source)) continue
    closing.lastIndex = index
    if (closing.test(text)) {
      kept += `${text.slice(from, index)} `
      from = closing.lastIndex
    } else missing.add(closing.source)
  }
  return kept + text.slice(from)
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

const HEADINGS = /<(title|h1|h2)\b[^>]{0,200}>([^<]{0,200})/gi
const NAMES_AN_ERROR =
  /\b[45]\d\d\b|error|fail|denied|forbidden|unauthori|unavailable|not found|timed? ?-?out|too (?:many|large)|down\b|maintenance|limit|blocked|bad gateway/i

function isErrorPage(text: string): boolean {
  if (/^\d{3}\b/.test(text) || /<(?:error|fault|code|faultstring)>/i.test(text)) return true
  return [...text.matchAll(HEADINGS)].some(([, , heading]) => NAMES_AN_ERROR.test(heading ?? ''))
}
