import { cutText } from './cut-text.ts'
import { neutralise } from './neutralise.ts'

// Characters that move the cursor, change the reading direction or are invisible: they can hide or forge text.
const INVISIBLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u200b\u2060-\u2064\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu

/** Cleans untrusted text and puts it on one line, without the marks of the harness. Joiners of scripts and emoji stay. */
export function sanitizeLine(text: unknown, maxChars: number): string {
  return inert(clean(text, maxChars, ' ').replaceAll(/\s+/g, ' ').trim(), maxChars)
}

/** Cleans untrusted text and keeps its line breaks. Characters that hide or forge text are removed. */
export function sanitizeText(text: unknown, maxChars: number): string {
  return inert(clean(text, maxChars, '').trim(), maxChars)
}

/** Without the marks of the harness. Replacing one may make the text longer. */
const inert = (text: string, maxChars: number): string => cutText(neutralise(text), maxChars)

function clean(text: unknown, maxChars: number, lineEnd: string): string {
  if (typeof text !== 'string') return ''
  // Cut first, so that dropped text is not scanned.
  return cutText(text, maxChars)
    .toWellFormed()
    .replaceAll(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    .replaceAll(INVISIBLE, (found) => (found === '\n' || found === '\t' ? lineEnd || found : ''))
}
