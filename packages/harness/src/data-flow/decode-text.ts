const MAX_CHARS = 20_000
const CHUNK = /[A-Za-z0-9+/_-]{8,4000}={0,2}/g

/**
 * What a text could hide in a common encoding: base64, hexadecimal, reversed, or with letters shifted by 13. Only texts
 * that read as text are returned.
 */
export function decodeText(text: string): string[] {
  const scanned = text.slice(0, MAX_CHARS)
  const found = [reverse(scanned), shift(scanned)]
  for (const [chunk] of scanned.matchAll(CHUNK)) {
    const hex = /^(?:[0-9a-f]{2})+$/i.test(chunk) ? Buffer.from(chunk, 'hex') : undefined
    for (const bytes of [hex, Buffer.from(chunk, 'base64')]) {
      const decoded = bytes?.toString('utf8')
      if (decoded !== undefined && isReadable(decoded)) found.push(decoded)
    }
  }
  return found
}

const reverse = (text: string): string => Array.from(text).toReversed().join('')

const shift = (text: string): string =>
  text.replaceAll(/[a-z]/gi, (letter) => {
    const base = letter <= 'Z' ? 65 : 97
    return String.fromCharCode(((letter.charCodeAt(0) - base + 13) % 26) + base)
  })

const isReadable = (text: string): boolean => text.length >= 4 && !/[\p{Cc}\p{Co}\p{Cn}\ufffd]/u.test(text)
