import { cutText } from '../turn/cut-text.ts'

/** Text of strangers on one line, without marks that hide or turn words around, cut to a length. */
export function cleanText(text: string, maxChars = 240): string {
  const plain = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').replaceAll(/\s+/g, ' ')
  return cutText(plain.trim(), maxChars)
}
