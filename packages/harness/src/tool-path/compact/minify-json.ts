const QUOTE = 34
const BACKSLASH = 92

/** Where the string that opens at `at` ends: behind its closing quote. The text must be valid JSON. */
export function endOfString(json: string, at: number): number {
  let close = json.indexOf('"', at + 1)
  while (isEscaped(json, close)) close = json.indexOf('"', close + 1)
  return close + 1
}

function isEscaped(json: string, at: number): boolean {
  let before = at - 1
  while (json.charCodeAt(before) === BACKSLASH) before--
  return (at - before) % 2 === 0
}

/**
 * Valid JSON without the white space between its tokens. Numbers, keys and their order stay as they were written,
 * which reading and writing the value again would not promise.
 */
export function minifyJson(json: string): string {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at < json.length;) {
    const code = json.charCodeAt(at)
    if (code === QUOTE) at = endOfString(json, at)
    else if (code > 32) at++
    else {
      parts.push(json.slice(from, at))
      while (json.charCodeAt(at) <= 32) at++
      from = at
    }
  }
  parts.push(json.slice(from))
  return parts.join('')
}
