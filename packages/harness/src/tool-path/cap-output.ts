import { cutText, cutToBytes, sizeNote } from '../text/cut-text.ts'
import type { Tool } from '../turn/tool/tool.ts'

const NOTE_BYTES = 256

/**
 * Cuts an output to the budget, at a character boundary, and adds how large it is. A tool may declare a lower limit,
 * never a higher one. `wholeBytes`: the size of the whole output, when `output` is only a part or a digest of it.
 */
export function capOutput(
  output: string,
  tool: Tool | undefined,
  maxBytes: number,
  wholeBytes?: number,
): { readonly text: string; readonly bytes: number; readonly isCut: boolean } {
  const bytes = Buffer.byteLength(output)
  const maxChars = tool?.maxOutputChars ?? Infinity
  if (output.length <= maxChars && bytes <= maxBytes) return { text: output, bytes, isCut: false }
  const shown = cutToBytes(cutText(output, maxChars), Math.max(0, maxBytes - NOTE_BYTES))
  return { text: `${shown}\n[${sizeNote(wholeBytes ?? bytes, shown)}]`, bytes, isCut: true }
}
