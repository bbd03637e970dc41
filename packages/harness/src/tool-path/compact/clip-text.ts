import { cutText } from '../../text/cut-text.ts'

const NOTE_CHARS = 40

/** The beginning of a text that is too long, with a note on the rest; never longer than it was. */
export function clipText(text: string, maxChars: number): string {
  if (text.length <= maxChars + NOTE_CHARS) return text
  const shown = cutText(text, maxChars)
  return `${shown}[… ${text.length - shown.length} more characters]`
}
