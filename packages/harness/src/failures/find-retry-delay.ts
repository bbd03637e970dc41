const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }
const LONGEST_MS = 24 * 3_600_000

const ANNOUNCED =
  /\b(?:retry[-_ ]?(?:after|delay|in)(?:[-_ ]?(ms|seconds))?|(?:try|retry) (?:again )?(?:in|after)|wait(?: for| at least)?|available (?:again )?in|resets? (?:in|after)|again in)["']?[:= ]{1,3}["']?(?:about |another |at least )?((?:\d+(?:\.\d+)?\s*(?:milliseconds?|ms|minutes?|mins?|m|hours?|hrs?|h|seconds?|secs?|s)?(?![a-z])[ ,]{0,2}){1,3})/i
const PART = /(\d+(?:\.\d+)?)\s*(milliseconds?|ms|minutes?|mins?|m|hours?|hrs?|h|seconds?|secs?|s)?/gi

/** How long the other side asks us to wait, from words such as "try again in 2m" or a `Retry-After` header. */
export function findRetryDelay(text: string): number | undefined {
  const found = ANNOUNCED.exec(text.slice(0, 4_000))
  if (!found) return undefined
  let total = 0
  for (const [, amount, unit] of (found[2] ?? '').matchAll(PART)) {
    total += Number(amount) * unitMs(unit ?? found[1])
  }
  return total > 0 && total <= LONGEST_MS ? Math.round(total) : undefined
}

function unitMs(unit = 's'): number {
  const word = unit.toLowerCase()
  if (word === 'ms' || word.startsWith('milli')) return 1
  return UNIT_MS[word.charAt(0)] ?? 1_000
}
