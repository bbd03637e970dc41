/** Time, passed in so that a test can own it. */
export interface Clock {
  /** Milliseconds since 1970, for people. May jump. */
  now(): number
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonic(): number
  /** Runs `task` later; the result takes it back. */
  after(ms: number, task: () => void): () => void
}

// A longer one would fire at once.
const LONGEST_TIMER_MS = 2 ** 31 - 1

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = startTimer(ms, task)
    return () => clearTimeout(timer)
  },
}

/** The system's time. What waits here does not keep the process alive. */
export const quietClock: Clock = {
  ...systemClock,
  after(ms, task) {
    const timer = startTimer(ms, task).unref()
    return () => clearTimeout(timer)
  },
}

const startTimer = (ms: number, task: () => void): NodeJS.Timeout =>
  setTimeout(task, Math.min(ms, LONGEST_TIMER_MS))
