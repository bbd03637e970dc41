import type { TurnEvent } from '@capstan/protocol'
import type { ProgressReporter } from '../seams.ts'

/** Passes events to a function. An error in the function becomes a process warning and never ends the turn. */
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

/** Passes each event to both reporters. The second does not wait for the first. */
export function joinReporters(first: ProgressReporter, second: ProgressReporter): ProgressReporter {
  return {
    report(event) {
      const slow = first.report(event)
      const slower = second.report(event)
      return slow && slower ? Promise.all([slow, slower]).then(() => {}) : (slow ?? slower)
    },
  }
}

/** Ignores every event. */
export const SILENT: ProgressReporter = { report() {} }

function warn(error: unknown): void {
  process.emitWarning(`an event listener failed: ${String(error)}`, 'CapstanListener')
}
