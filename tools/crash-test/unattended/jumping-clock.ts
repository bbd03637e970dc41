import type { Clock } from '@capstan/harness/seams'

/** Runs beside the real clock, and can be put forward: timers that are due then run at once. */
export interface JumpingClock extends Clock {
  /** How far it is ahead of the real one from now on. It never goes back. */
  jumpTo(aheadMs: number): void
}

interface Timer {
  readonly at: number
  readonly task: () => void
  handle?: NodeJS.Timeout
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

export function createJumpingClock(aheadMs: number): JumpingClock {
  let ahead = aheadMs
  const timers = new Set<Timer>()
  const monotonic = (): number => performance.now() + ahead
  function look(timer: Timer): void {
    clearTimeout(timer.handle)
    const left = timer.at - monotonic()
    if (left > 0) {
      timer.handle = setTimeout(look, Math.min(left, LONGEST_TIMER_MS), timer).unref()
    } else if (timers.delete(timer)) timer.task()
  }
  return {
    now: () => Date.now() + ahead,
    monotonic,
    after(ms, task) {
      const timer: Timer = { at: monotonic() + ms, task }
      timers.add(timer)
      timer.handle = setTimeout(look, Math.min(ms, LONGEST_TIMER_MS), timer).unref()
      return () => {
        clearTimeout(timer.handle)
        timers.delete(timer)
      }
    },
    jumpTo(to) {
      ahead = Math.max(ahead, to)
      for (const timer of [...timers].toSorted((a, b) => a.at - b.at)) if (timers.has(timer)) look(timer)
    },
  }
}
