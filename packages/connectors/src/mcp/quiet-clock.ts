import type { Clock } from '@capstan/harness'

const LONGEST_TIMER_MS = 2 ** 31 - 1

/** The system's time. What waits here does not keep the process alive. */
export const quietClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  after(ms, task) {
    const timer = setTimeout(task, Math.min(ms, LONGEST_TIMER_MS)).unref()
    return () => clearTimeout(timer)
  },
}
