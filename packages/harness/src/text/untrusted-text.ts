import { cutText } from './cut-text.ts'

// What moves the cursor, turns the direction of reading or cannot be seen: nothing a person could judge by.
const UNSEEN =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** What a stranger wrote, as one line. Joiners of scripts and emoji stay. */
export function sanitizeLine(text: unknown, maxChars: number): string {
  return clean(text, maxChars, ' ').replaceAll(/\s+/g, ' ').trim()
}

/** What a stranger wrote, in lines, but without anything that hides or forges. */
export function sanitizeText(text: unknown, maxChars: number): string {
  return clean(text, maxChars, '').trim()
}

function clean(text: unknown, maxChars: number, lineEnd: string): string {
  if (typeof text !== 'string') return ''
  // Cut first: what is thrown away need not be read.
  return cutText(text, maxChars)
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(UNSEEN, (unseen) => (unseen === '\n' || unseen === '\t' ? lineEnd || unseen : ''))
}
