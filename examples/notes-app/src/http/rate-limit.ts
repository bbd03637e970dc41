/** Counts requests. Says how long to wait, or undefined when one may go ahead. */
export type RateLimit = (who: string) => number | undefined

/** Each caller has a minute's worth of requests, which grows back evenly. */
export function createRateLimit(requestsPerMinute: number, now: () => number): RateLimit {
  const perMs = requestsPerMinute / 60_000
  const buckets = new Map<string, { left: number; at: number }>()
  return (who) => {
    const at = now()
    const bucket = buckets.get(who) ?? { left: requestsPerMinute, at }
    const left = Math.min(requestsPerMinute, bucket.left + Math.max(0, at - bucket.at) * perMs)
    buckets.set(who, { left: left >= 1 ? left - 1 : left, at })
    return left >= 1 ? undefined : Math.ceil((1 - left) / perMs)
  }
}
