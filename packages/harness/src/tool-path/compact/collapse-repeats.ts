// The longest block of lines that is looked for, such as a stack trace that comes again and again.
const MAX_BLOCK = 16
// A mark is not worth less than this.
const MIN_SAVED = 24

/**
 * Writes lines that repeat once, with a count; and so blocks of lines. What is equal is decided by `toKey`; of lines
 * that are not the same to the letter the first is shown, or the last where `showsLast` says so.
 */
export function collapseRepeats(
  lines: readonly string[],
  toKey: (line: string) => string = (line) => line,
  showsLast: (line: string) => boolean = () => false,
): readonly string[] {
  const keys = toNumbers(lines, toKey)
  if (!keys) return lines
  const collapsed: string[] = []
  for (let at = 0; at < lines.length;) {
    const { length, times } = findRepeats(keys, at)
    if (times === 1) {
      collapsed.push(lines[at++]!)
      continue
    }
    const end = at + length * times
    const block = lines.slice(at, at + length)
    const saved = (times - 1) * block.reduce((sum, line) => sum + line.length + 1, 0)
    if (saved < MIN_SAVED) collapsed.push(...lines.slice(at, end))
    else if (length > 1) collapsed.push(...block, `[the ${length} lines above: ${times} times]`)
    else if (showsLast(block[0] ?? '')) collapsed.push(lines[end - 1] ?? '')
    else collapsed.push(`${block[0]} [×${times}]`)
    at = end
  }
  return collapsed
}

/** Equal lines have equal numbers. Undefined when no two are equal. */
function toNumbers(lines: readonly string[], toKey: (line: string) => string): Int32Array | undefined {
  const numbers = new Map<string, number>()
  const keys = new Int32Array(lines.length)
  for (let at = 0; at < lines.length; at++) {
    const key = toKey(lines[at]!)
    const known = numbers.get(key)
    keys[at] = known ?? numbers.size
    if (known === undefined) numbers.set(key, numbers.size)
  }
  return numbers.size === lines.length ? undefined : keys
}

const ONCE = { length: 1, times: 1 }

function findRepeats(keys: Int32Array, at: number): { readonly length: number; readonly times: number } {
  for (let length = 1; length <= MAX_BLOCK && at + 2 * length <= keys.length; length++) {
    let end = at + length
    while (end < keys.length && keys[end] === keys[end - length]) end++
    const times = Math.floor((end - at) / length)
    if (times > 1) return { length, times }
  }
  return ONCE
}
