import type { QueryPart } from './query-parts.ts'
import type { Rarity } from './rarity.ts'

/**
 * From here on most of what a query asks for is in an item. Below it an item shares some words, and often does not hold
 * the answer. On the development queries every exact, id, person and date query lies above it, and none without an answer.
 */
export const CONFIDENT_SCORE = 0.5

/** Lower ones share little more than grammar with the query. */
export const MIN_SCORE = 0.005

const NEAR = 0.9
// Words that share a fifth of their pieces do so by chance.
const PIECES = 0.7
const CHANCE = 0.2
// A part that is met less than that is missing, and what is missing counts again by half.
const MISSING = 0.3
const MISSING_WEIGHT = 0.5
// Whoever asks for the salary of a person is not answered by her name: without a fifth of the query nothing is certain.
const MUCH_MISSING = 0.2
const UNCERTAIN = 0.75
// Long items hold a bit of everything.
const USUAL_TERMS = 300

/** How much of a query an item meets, from 0 to 1. Rare parts count more. */
export function scoreItem(parts: readonly QueryPart[], terms: ReadonlySet<string>, rarity: Rarity): number {
  let total = 0
  let met = 0
  let missing = 0
  for (const part of parts) {
    const mass = part.weight * rarity.of(part.whole)
    const share = meet(part, terms, rarity)
    total += mass
    met += mass * share
    if (share < MISSING) missing += mass
  }
  if (total === 0) return 0
  const length = Math.sqrt(Math.max(1, 0.5 + (0.5 * terms.size) / USUAL_TERMS))
  const certainty = missing / total >= MUCH_MISSING ? UNCERTAIN : 1
  return ((met / total) * (1 - (MISSING_WEIGHT * missing) / total) * certainty) / length
}

/** How far an item meets one part, from 0 to 1. */
function meet({ whole, near, pieces }: QueryPart, terms: ReadonlySet<string>, rarity: Rarity): number {
  if (terms.has(whole)) return 1
  const close = near.find((term) => terms.has(term))
  const byForm = close === undefined ? 0 : NEAR * Math.min(1, rarity.of(close) / rarity.of(whole))
  if (byForm >= PIECES || pieces.length === 0) return byForm
  let all = 0
  let found = 0
  for (const piece of pieces) {
    all += rarity.of(piece)
    if (terms.has(piece)) found += rarity.of(piece)
  }
  return Math.max(byForm, PIECES * Math.max(0, (found / all - CHANCE) / (1 - CHANCE)))
}
