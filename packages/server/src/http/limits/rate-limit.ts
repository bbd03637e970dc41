/** So many at once, and so many a second in the long run. */
export interface Rate {
  readonly burst: number
  readonly perSecond: number
}

/** Token buckets by key. Takes no memory for those who have been quiet. */
export interface RateLimit {
  /**
   * 0 when it may go on, else how long to wait. What is refused costs nothing more; what costs more than is left goes
   * on once, and the next waits for it.
   */
  take(key: string, cost?: number): number
}

const MAX_KEYS = 10_000

export function createRateLimit({ burst, perSecond }: Rate, now: () => number = Date.now): RateLimit {
  const buckets = new Map<string, { tokens: number; at: number }>()

  /** A full bucket is no bucket. */
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
