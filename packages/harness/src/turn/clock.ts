/** Time, passed in so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970, for people. May jump. */
  now(): number
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonic(): number
  /** Runs `task` later; the result takes it back. */
  after(ms: number, task: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
}
