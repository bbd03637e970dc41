/** Returns at most `maxChars` characters and never splits a surrogate pair, because providers reject a lone surrogate. */
export function cutText(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const code = text.charCodeAt(maxChars - 1)
  const splitsPair = code >= 0xd8_00 && code <= 0xdb_ff
  return text.slice(0, splitsPair ? maxChars - 1 : maxChars)
}
