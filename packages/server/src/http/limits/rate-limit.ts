/** A burst, and a rate per second in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Token buckets by key. A key that was quiet for long takes no memory. */
export interface RateLimit {
  /**
   * 0 when the request is allowed, else the time to wait in milliseconds. A refusal costs nothing. A request that costs
   * more than is left is allowed once, and the next one waits longer.
   */
  take(key: string, cost?: number): number
}

const MAX_KEYS = 10_000

export function createRateLimit({ burst, perSecond }: Rate, now: () => number = Date.now): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>()

  /** A full bucket need not be kept. */
  function forgetFull(at: number): void {
    for (const [key, bucket] of buckets)
      if (bucket.tokens + ((at - bucket.at) / 1000) * perSecond >= burst) buckets.delete(key)
  }

  return {
    take(key, cost = 1) {
      const at = now()
      let bucket = buckets.get(key)
      if (!bucket) {
        if (buckets.size >= MAX_KEYS) forgetFull(at)
        buckets.set(key, (bucket = { tokens: burst, at }))
      }
      const refilled = bucket.tokens + (Math.max(0, at - bucket.at) / 1000) * perSecond
      bucket.tokens = Math.min(burst, refilled)
      bucket.at = at
      if (bucket.tokens < 1) return Math.ceil(((1 - bucket.tokens) / perSecond) * 1000)
      bucket.tokens -= cost
      return 0
    },
  }
}
