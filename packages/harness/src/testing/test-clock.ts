import type { Clock } from '../turn/clock.ts'

/** A clock that only a test moves. */
export interface TestClock extends Clock {
  /** Moves time forward and runs the timers that are due, in order. Promises settle in between. */
  advance(ms: number): Promise<void>
  /** Settles when a timer is set. */
  waiting(): Promise<void>
}

/** Creates a test clock. Default start: 5 January 2026, 12:00 UTC. */
export function createTestClock(startsAt = Date.UTC(2026, 0, 5, 12)): TestClock {
  let elapsed = 0
  let timers: { readonly at: number; readonly task: () => void }[] = []
  let wake: (() => void)[] = []
  const settle = () => new Promise<void>((resolve) => setImmediate(resolve))
  return {
    now: () => startsAt + elapsed,
    monotonic: () => elapsed,
    after(ms, task) {
      const timer = { at: elapsed + ms, task }
      timers.push(timer)
      for (const resolve of wake.splice(0)) resolve()
      return () => {
        timers = timers.filter((other) => other !== timer)
      }
    },
    async advance(ms) {
      const until = elapsed + ms
      await settle()
      for (;;) {
        const next = timers.filter(({ at }) => at <= until).toSorted((a, b) => a.at - b.at)[0]
        if (!next) break
        timers = timers.filter((other) => other !== next)
        elapsed = Math.max(elapsed, next.at)
        next.task()
        await settle()
      }
      elapsed = until
    },
    async waiting() {
      if (timers.length === 0) await new Promise<void>((resolve) => wake.push(resolve))
      await settle()
    },
  }
}
