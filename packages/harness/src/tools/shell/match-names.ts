import { readdirSync } from 'node:fs'
import { join } from 'node:path'

const GLOB = /[*?[]/
const MAX_NAMES = 20_000
const MAX_SEGMENT_CHARS = 500

/**
 * The files that a pattern of the shell may stand for, seen from a folder, and perhaps some more. Undefined when there
 * are too many to look at. Never throws.
 */
export function matchNames(pattern: string, folder: string): readonly string[] | undefined {
  let left = MAX_NAMES
  let found: readonly string[] = [pattern.startsWith('/') ? '/' : folder]
  for (const segment of pattern.split('/')) {
    if (segment === '') continue
    if (segment.length > MAX_SEGMENT_CHARS) return undefined
    const next: string[] = []
    for (const at of found) {
      const names = GLOB.test(segment) ? namesIn(at) : [segment]
      left -= names.length
      if (left < 0) return undefined
      next.push(
        ...names.filter((name) => name === segment || isMatch(name, segment)).map((name) => join(at, name)),
      )
    }
    found = next
  }
  return found
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

// A set of characters counts as any one of them. Time grows with the product of both lengths and no faster.
function isMatch(name: string, segment: string): boolean {
  if (name.startsWith('.') && !segment.startsWith('.') && !segment.startsWith('[')) return false
  const parts = segment.replaceAll(/\[[!^]?\]?[^\]]*\]/g, '?')
  let at = 0
  let part = 0
  let star = -1
  let retry = 0
  while (at < name.length) {
    if (parts[part] === '*') {
      star = part++
      retry = at
    } else if (parts[part] === '?' || parts[part] === '[' || parts[part] === name[at]) {
      part++
      at++
    } else if (star >= 0) {
      part = star + 1
      at = ++retry
    } else return false
  }
  return /^\**$/.test(parts.slice(part))
}
