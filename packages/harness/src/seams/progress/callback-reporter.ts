import type { TurnEvent } from '@capstan/protocol'
import type { ProgressReporter } from '../seams.ts'

/** Hands events to a function. A listener that throws is a bug of its own and never ends a turn. */
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

export const SILENT: ProgressReporter = { report() {} }

function warn(error: unknown): void {
  process.emitWarning(`an event listener failed: ${String(error)}`, 'CapstanListener')
}
