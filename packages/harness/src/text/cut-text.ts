/** Returns at most `maxChars` characters and never splits a surrogate pair, because providers reject a lone surrogate. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const code = text.charCodeAt(maxChars - 1)
  const splitsPair = code >= 0xd8_00 && code <= 0xdb_ff
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars)
}

/** As `cutText`, with the size of the whole behind what is left of it. */
export function cutWithSize(text: string, maxChars: number): string {
  const shown = cutText(text, maxChars)
  return shown === text ? text : `${shown}\n[${sizeNote(Buffer.byteLength(text), shown)}]`
}

/** The longest beginning of at most `maxBytes` bytes that splits no character. */
export function cutToBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text
  // The decoder drops a character that was cut in the middle.
  const bytes = Buffer.from(text.slice(0, maxBytes)).subarray(0, maxBytes)
  return new TextDecoder('utf-8').decode(bytes, { stream: true })
}

/** What follows a text that was cut: how large the whole is, and how much of it is here. */
export const sizeNote = (wholeBytes: number, shown: string): string =>
  `cut: ${wholeBytes} bytes in all, ${Buffer.byteLength(shown)} are shown`
