import type { Finder } from './site.ts'
import { toMark } from './span.ts'

const HEADER = /-{4,5} ?BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)? ?-{4,5}/y
const FOOTER = /-{4,5} ?END [A-Z0-9 ]{0,40}KEY(?: BLOCK)? ?-{4,5}/y
/** Enough of a key to be worth hiding; less is a word about keys. */
const KEY_MATERIAL = /[A-Za-z0-9+/=]{16}/
/** Line breaks as they come: real, escaped, with what indents or numbers the next line; two of them after headers. */
const BREAKS = /(?:(?:\r?\n|(?:\\{1,7}r)?\\{1,7}n|[ \t]+)[ \t>|+#*-]{0,24}(?:\d{1,5}[:|\t][ \t]?)?){1,2}/y
const LINE = /(?:[A-Za-z0-9+/=]|\\\/)+/y
const KEY_HEADER =
  /(?:Proc-Type|DEK-Info|Comment|Version|Subject|Hash|Charset|MessageID)(?:: |:)[^\n\\"]{0,120}/y
const PUTTY_LINES = /[ \t]*\d{1,4}(?=\r?\n)/y

/** Brackets and names between two frames belong to a document: the frames are not of one key. */
const STRUCTURE = /[{}[\]]|"\s*:/

const MARK = toMark('private-key')
/** The longest private key. A longer text is no key. */
const MAX_KEY_CHARS = 32 * 1024

/** Finds a private key in PEM at its `-----BEGIN`: whole, cut off, escaped in JSON, indented or encrypted. */
export const findPrivateKey: Finder = (site) => {
  const { text, start } = site
  HEADER.lastIndex = start
  if (!HEADER.test(text)) return 0
  const bodyStart = HEADER.lastIndex
  const end = endOfKey(text, bodyStart)
  if (!KEY_MATERIAL.test(text.slice(bodyStart, end))) return 0
  return site.hide(start, end, MARK)
}

/** Finds the private part of a PuTTY key at its `Private-Lines:`. */
export const findPuttyKey: Finder = (site) => {
  const { text, end } = site
  PUTTY_LINES.lastIndex = end
  if (!PUTTY_LINES.test(text)) return 0
  const bodyStart = PUTTY_LINES.lastIndex
  const bodyEnd = endOfBody(text, bodyStart)
  if (!KEY_MATERIAL.test(text.slice(bodyStart, bodyEnd))) return 0
  return site.hide(bodyStart, bodyEnd, `\n${MARK}`)
}

function endOfKey(text: string, bodyStart: number): number {
  // Whatever stands before the next frame belongs to the key; without its own footer the key is cut off.
  const frame = text.indexOf('----', bodyStart)
  if (frame !== -1 && frame - bodyStart <= MAX_KEY_CHARS) {
    FOOTER.lastIndex = frame
    if (FOOTER.test(text) && !STRUCTURE.test(text.slice(bodyStart, frame))) return FOOTER.lastIndex
  }
  return endOfBody(text, bodyStart)
}

/** Reads line by line as long as they look like a key; a short line ends it, as the last line of a key does. */
function endOfBody(text: string, bodyStart: number): number {
  let end = bodyStart
  while (end - bodyStart < MAX_KEY_CHARS) {
    const lineStart = matchEnd(BREAKS, text, end) ?? end
    const headerEnd = matchEnd(KEY_HEADER, text, lineStart)
    const lineEnd = headerEnd ?? matchEnd(LINE, text, lineStart)
    if (lineEnd === undefined) return end
    const isShort = headerEnd === undefined && lineEnd - lineStart < 32
    if (isShort) return isKeyTail(text, lineStart, lineEnd) ? lineEnd : end
    end = lineEnd
  }
  return end
}

/** A short line is taken for the end of a key unless it reads like a word of what follows. */
function isKeyTail(text: string, start: number, end: number): boolean {
  return end - start >= 16 || end === text.length || /[0-9+/=]/.test(text.slice(start, end))
}

function matchEnd(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : undefined
}
