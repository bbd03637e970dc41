/** Whether a character code belongs to a word, in any script. */
export function isWordCode(code: number): boolean {
  if (code < 0x80) return (code >= 0x30 && code <= 0x39) || ((code | 0x20) >= 0x61 && (code | 0x20) <= 0x7a)
  return code > 0xbf && !(code >= 0x2000 && code <= 0x303f)
}
