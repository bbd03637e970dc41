import type { Tool } from '../turn/tool.ts'

const NOTE_BYTES = 256

/** Cuts an output to what the model may read, at a character boundary, and says how much is missing. */
export function capOutput(
  output: string,
  tool: Tool | undefined,
  maxBytes: number,
): { readonly text: string; readonly bytes: number } {
  // A character is at most three bytes of UTF-8 per UTF-16 unit, so most outputs need no counting.
  const bytes = output.length * 3 <= maxBytes ? output.length : Buffer.byteLength(output)
  const maxChars = tool?.maxOutputChars ?? Infinity
  if (output.length > maxChars) {
    const text = cutAt(output, maxChars)
    return { text: `${text}\n[${output.length - text.length} more characters were left out]`, bytes }
  }
  if (bytes <= maxBytes) return { text: output, bytes }
  const room = Math.max(0, maxBytes - NOTE_BYTES)
  // The longest prefix that fits: the decoder drops a character that was cut in the middle.
  const prefix = new TextDecoder('utf-8').decode(Buffer.from(output.slice(0, room)).subarray(0, room), {
    stream: true,
  })
  return { text: `${prefix}\n[cut: ${bytes} bytes in all, the first ${room} are shown]`, bytes }
}

function cutAt(text: string, length: number): string {
  const code = text.charCodeAt(length - 1)
  const splitsPair = code >= 0xd8_00 && code <= 0xdb_ff
  return text.slice(0, splitsPair ? length - 1 : length)
}
