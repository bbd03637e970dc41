import { createRateLimit } from './rate-limit.ts'
import type { Rate } from './rate-limit.ts'
import { createRecentUses } from './recent-uses.ts'

/** Makes limits. They are counted in this process, or by all nodes together. */
export interface Limiters {
  /** Token buckets by key. `name` tells those of several limits apart. */
  buckets(name: string, rate: Rate): Buckets
  /** Uses by key in any window of this length. */
  uses(name: string, windowMs: number): Uses
}

interface Buckets {
  /** As `RateLimit`: 0 when the request is allowed, else the time to wait in milliseconds. Never rejects. */
  take(key: string, cost?: number): Promise<number>
}

interface Uses {
  /** 0 when there were fewer than `most` uses, else the time to wait in milliseconds. Never rejects. */
  take(key: string, most: number): Promise<number>
}

/** Limits of a process that is alone. */
export function createLocalLimiters(now: () => number = Date.now): Limiters {
  return {
    buckets(_, rate) {
      const limit = createRateLimit(rate, now)
      return { take: async (key, cost) => limit.take(key, cost) }
    },
    uses(_, windowMs) {
      const recent = createRecentUses(windowMs, now)
      return { take: async (key, most) => recent.take(key, most) }
    },
  }
}
