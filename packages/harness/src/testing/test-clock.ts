import type { Clock } from '../turn/clock.ts'

/** A clock that stands still until a test moves it. */
export interface TestClock extends Clock {
  /** Moves time on and runs what falls due, in order, letting promises settle in between. */
  advance(ms: number): Promise<void>
  /** Settles when something waits for the time to pass. */
  waiting(): Promise<void>
}

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
