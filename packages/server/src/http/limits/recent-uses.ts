/** When each key was used within a window. */
export interface RecentUses {
  /** 0 when there were fewer than `most` uses, else the time to wait in milliseconds. A refusal costs nothing. */
  take(key: string, most: number): number
}

export function createRecentUses(windowMs: number, now: () => number): RecentUses {
  /** Oldest first. */
  const used = new Map<string, number[]>()
  return {
    take(key, most) {
      const at = now()
      const recent = (used.get(key) ?? []).filter((time) => time > at - windowMs)
      used.set(key, recent)
      if (recent.length >= most) return (recent[recent.length - most] ?? at) + windowMs - at
      recent.push(at)
      return 0
    },
  }
}
