import type { TurnEvent } from '@capstan/protocol'
import type { ProgressReporter } from '../seams.ts'

/** Gives events to a function. A listener that throws is a bug of its own and never ends a turn. */
export function createCallbackReporter(
  listener: (event: TurnEvent) => void | Promise<void>,
): ProgressReporter {
  return {
    report(event) {
      try {
        const waiting = listener(event)
        if (waiting) return waiting.then(undefined, warn)
      } catch (error) {
        warn(error)
      }
    },
  }
}

/** Each event goes to the first, then to the second, also while the first is slow. */
export function joinReporters(first: ProgressReporter, second: ProgressReporter): ProgressReporter {
  return {
    report(event) {
      const slow = first.report(event)
      const slower = second.report(event)
      return slow && slower ? Promise.all([slow, slower]).then(() => {}) : (slow ?? slower)
    },
  }
}

export const SILENT: ProgressReporter = { report() {} }

function warn(error: unknown): void {
  process.emitWarning(`an event listener failed: ${String(error)}`, 'CapstanListener')
}
