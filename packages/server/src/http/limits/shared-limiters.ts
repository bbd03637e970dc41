import type { RateRows } from '@capstan/stores/postgres'
import type { Limiters } from './limiters.ts'
import { createRateLimit } from './rate-limit.ts'
import type { Rate } from './rate-limit.ts'
import { createRecentUses } from './recent-uses.ts'

const MAX_KEYS = 10_000
/** How often rows that nobody needs are deleted. */
const TAKES_BETWEEN_DELETES = 1_000
/** A limit with a burst of this much is taken in portions, which saves statements. */
const LARGE_BURST = 200
const PORTION = 10

/**
 * Limits that nodes count together, in rows of their database. The same limit is counted here first, so a flood of requests
 * is refused without asking the database. While the database cannot be reached, the limit of this node alone counts: what a
 * request then does needs the database anyway.
 */
export function createSharedLimiters(rows: RateRows, now: () => number = Date.now): Limiters {
  let takes = 0
  /** The time to wait, or 0 when it is not known. */
  async function ask(work: () => Promise<number>): Promise<number> {
    if (++takes % TAKES_BETWEEN_DELETES === 0) rows.deleteUnused().catch(() => {})
    try {
      return await work()
    } catch {
      return 0
    }
  }

  return {
    buckets(name, rate) {
      const here = createRateLimit(rate, now)
      const refusals = createRefusals(now)
      const portions = createPortions(rate)
      return {
        async take(key, cost = 1) {
          const wait = here.take(key, cost) || refusals.waitOf(key)
          if (wait > 0) return wait
          if (portions.take(key, cost)) return 0
          const paid = Math.max(cost, portions.size)
          const asked = await ask(() => rows.takeTokens(`${name}:${key}`, rate, paid))
          if (asked === 0) portions.add(key, paid - cost)
          return refusals.note(key, asked)
        },
      }
    },
    uses(name, windowMs) {
      const here = createRecentUses(windowMs, now)
      const refusals = createRefusals(now)
      return {
        async take(key, most) {
          const wait = here.take(key, most) || refusals.waitOf(key)
          if (wait > 0) return wait
          return refusals.note(key, await ask(() => rows.takeUse(`${name}:${key}`, most, windowMs)))
        },
      }
    },
  }
}

/** Until when a key is refused: until then the database need not be asked. */
function createRefusals(now: () => number) {
  const refusedUntil = new Map<string, number>()
  return {
    waitOf: (key: string): number => Math.max(0, (refusedUntil.get(key) ?? 0) - now()),
    note(key: string, wait: number): number {
      if (refusedUntil.size >= MAX_KEYS) refusedUntil.clear()
      if (wait > 0) refusedUntil.set(key, now() + wait)
      else refusedUntil.delete(key)
      return wait
    },
  }
}

/** What was taken from the shared bucket and is not used yet. */
function createPortions({ burst }: Rate) {
  const left = new Map<string, number>()
  return {
    size: burst >= LARGE_BURST ? PORTION : 1,
    take(key: string, cost: number): boolean {
      const rest = (left.get(key) ?? 0) - cost
      if (rest < 0) return false
      if (rest > 0) left.set(key, rest)
      else left.delete(key)
      return true
    },
    add(key: string, tokens: number): void {
      if (left.size >= MAX_KEYS) left.clear()
      if (tokens > 0) left.set(key, (left.get(key) ?? 0) + tokens)
    },
  }
}
