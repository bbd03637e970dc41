const PLAIN = /^[\u0020-\u007e]*$/
const NO_COLUMN = /^[\p{Mn}\p{Me}\p{Cf}]/u
const EMOJI = /^(?:\p{Emoji_Presentation}|\p{Extended_Pictographic}\ufe0f)/u
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** How many columns of a terminal a text takes. Exact for most scripts, an estimate for the rest. */
export function displayWidth(text: string): number {
  if (PLAIN.test(text)) return text.length
  let width = 0
  for (const { segment } of graphemes.segment(text)) width += columnsOf(segment)
  return width
}

/** The text when it fits, otherwise its start followed by the mark. */
export function cutToWidth(text: string, width: number, mark: string): string {
  if (displayWidth(text) <= width) return text
  const space = width - displayWidth(mark)
  return space < 0 ? '' : headOf(text, space).trimEnd() + mark
}

/** As much of the end of a text as fits. */
export function tailToWidth(text: string, width: number): string {
  let tail = text
  for (const { segment } of graphemes.segment(text)) {
    if (displayWidth(tail) <= width) break
    tail = tail.slice(segment.length)
  }
  return tail
}

/**
 * Wraps one line between words. A word that is wider than a line is broken. More text never changes a line that has
 * another line below it, so a growing text can be printed line by line.
 */
export function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = []
  let line = ''
  for (const piece of text.match(/\s+|\S+/g) ?? []) {
    if (displayWidth(line + piece) <= width) {
      line += piece
      continue
    }
    if (line.trim() !== '') lines.push(line.trimEnd())
    line = piece.trim()
    while (displayWidth(line) > width) {
      const head = headOf(line, width)
      if (head === '') break
      lines.push(head)
      line = line.slice(head.length)
    }
  }
  return [...lines, line]
}

function headOf(text: string, width: number): string {
  let head = ''
  let used = 0
  for (const { segment } of graphemes.segment(text)) {
    used += columnsOf(segment)
    if (used > width) break
    head += segment
  }
  return head
}

function columnsOf(grapheme: string): number {
  if (NO_COLUMN.test(grapheme)) return 0
  return EMOJI.test(grapheme) || WIDE.test(grapheme) ? 2 : 1
}
