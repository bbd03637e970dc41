/** The time. It is passed in, so that a test controls it. */
export interface Clock {
  /** Milliseconds since 1970, for display. May jump. */
  now(): number
  /** Milliseconds that never go back, for deadlines and durations. */
  monotonic(): number
  /** Runs `task` later; the returned function cancels it. */
  after(ms: number, task: () => void): () => void
}

/** A duration to the microsecond. The digits behind it are noise, and every record would hold them. */
export const roundMs = (ms: number): number => Math.round(ms * 1000) / 1000

// `setTimeout` fires at once for a longer delay.
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The clock of the system. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = startTimer(ms, task)
    return () => clearTimeout(timer)
  },
}

/** The clock of the system, with timers that do not keep the process alive. */
export const quietClock: Clock = {
  ...systemClock,
  after(ms, task) {
    const timer = startTimer(ms, task).unref()
    return () => clearTimeout(timer)
  },
}

const startTimer = (ms: number, task: () => void): NodeJS.Timeout =>
  setTimeout(task, Math.min(ms, LONGEST_TIMER_MS))
