import type { Compactor } from './compactor.ts'
import { spaceFor } from './compactor.ts'
import { minifyJson } from './minify-json.ts'
import type { JsonLimits } from './shrink-json.ts'
import { shrinkJson } from './shrink-json.ts'

// Tried in turn until the text fits: a few long strings are not cut because a list was long.
const LIMITS: readonly JsonLimits[] = [
  { head: 48, tail: 8, alike: 0.8, maxString: 4_000 },
  { head: 12, tail: 4, alike: 0.8, maxString: 4_000 },
  { head: 6, tail: 2, alike: 0.5, maxString: 1_000 },
  { head: 3, tail: 1, alike: 0, maxString: 300 },
]

/**
 * Whether there is nothing to gain: short JSON on one line, as programs write it. It is not parsed for that, so white
 * space in unusual places may be missed.
 */
export function isTightJson(text: string): boolean {
  const first = text.charAt(0)
  if ((first !== '{' && first !== '[') || text.length > TIGHT_CHARS || text.includes('\n')) return false
  return !LOOSE.some((spaced) => text.includes(spaced))
}

const LOOSE = ['": ', '", ', '}, ', '], ', '{ ', '[ ']

/** JSON stays JSON: first without its white space, then with lists and strings cut short. */
export const jsonCompactor: Compactor = {
  recognises: isJson,
  tidy: minifyJson,
  shorten(text, facts) {
    const minified = minifyJson(text)
    const space = spaceFor(facts)
    let shrunk = minified
    for (const limits of LIMITS) {
      if (shrunk.length <= space) break
      shrunk = shrinkJson(minified, limits)
    }
    return shrunk
  },
}

/** Shorter JSON is not shortened. */
const TIGHT_CHARS = 6_000

function isJson(text: string): boolean {
  const trimmed = text.trim()
  const first = trimmed.charAt(0)
  if (first !== '{' && first !== '[') return false
  if (!trimmed.endsWith(first === '{' ? '}' : ']')) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
