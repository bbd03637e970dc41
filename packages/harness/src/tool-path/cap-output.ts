import { cutText } from '../text/cut-text.ts'
import type { Tool } from '../turn/tool/tool.ts'

const NOTE_BYTES = 256

/**
 * Cuts an output to the budget, at a character boundary, and adds how much is missing. A tool may declare a lower limit,
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
  const space = Math.max(0, maxBytes - NOTE_BYTES)
  const allowed = cutText(output, maxChars)
  if (Buffer.byteLength(allowed) <= space) {
    const left =
      wholeBytes === undefined || wholeBytes === bytes
        ? `${output.length - allowed.length} more characters were left out`
        : `cut: ${wholeBytes} bytes in all`
    return { text: `${allowed}\n[${left}]`, bytes, isCut: true }
  }
  // The longest prefix that fits: the decoder drops a character that was cut in the middle.
  const prefix = new TextDecoder('utf-8').decode(Buffer.from(output.slice(0, space)).subarray(0, space), {
    stream: true,
  })
  return {
    text: `${prefix}\n[cut: ${wholeBytes ?? bytes} bytes in all, the first ${space} are shown]`,
    bytes,
    isCut: true,
  }
}
