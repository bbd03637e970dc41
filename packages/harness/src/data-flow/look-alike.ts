// Characters that look alike in many fonts, each written as one of them. Two letters that look like one come first.
const PAIRS: readonly (readonly [RegExp, string])[] = [
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/[1|iíìıіІ]/g, 'l'],
  [/[0оο]/g, 'o'],
  [/[qԛ]/g, 'g'],
  [/[5ѕ]/g, 's'],
  [/а/g, 'a'],
  [/е/g, 'e'],
  [/р/g, 'p'],
  [/с/g, 'c'],
]
const MIN_CHARS = 8

/** Whether an address is not the known one but reads like it: characters that look alike, or one character changed. */
export function looksLike(address: string, known: string): boolean {
  const [a, b] = [address.trim().toLowerCase(), known.trim().toLowerCase()]
  if (a === b || Math.min(a.length, b.length) < MIN_CHARS) return false
  return skeleton(a) === skeleton(b) || isOneEditApart(a, b)
}

const skeleton = (text: string): string =>
  PAIRS.reduce((folded, [pattern, letter]) => folded.replaceAll(pattern, letter), text)

function isOneEditApart(a: string, b: string): boolean {
  if (Math.abs(a.length - b.length) > 1) return false
  let start = 0
  while (start < a.length && a[start] === b[start]) start++
  let end = 0
  const shared = Math.min(a.length, b.length) - start
  while (end < shared && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  return Math.max(a.length, b.length) - start - end <= 1
}
