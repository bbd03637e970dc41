/** Counts what happens, so that disturbances fall into the work and not after it. */
export interface Moments {
  count(): void
  /** Settles at this count, or when nothing more has happened for a while. */
  reach(count: number, signal: AbortSignal): Promise<void>
}

/** Turns that stand still for so long wait for something. */
const STILL_MS = 1_000

export function createMoments(): Moments {
  let counted = 0
  let lastAt = Date.now()
  return {
    count() {
      counted++
      lastAt = Date.now()
    },
    reach: (count, signal) =>
      new Promise((resolve) => {
        const timer = setInterval(() => {
          const isStill = counted > 0 && Date.now() - lastAt > STILL_MS
          if (counted < count && !isStill && !signal.aborted) return
          clearInterval(timer)
          resolve()
        }, 2)
      }),
  }
}
