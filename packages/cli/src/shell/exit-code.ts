import type { TurnOutcome } from '@capstan/protocol'

/** The exit codes of all commands. */
export const EXIT = { done: 0, failed: 1, usage: 2, unfinished: 3, aborted: 130 } as const

/** The exit code for an outcome. A reached limit is not a failure: the turn is unfinished. */
export function exitCodeOf(outcome: TurnOutcome): number {
  switch (outcome.type) {
    case 'done':
      return EXIT.done
    case 'failed':
      return outcome.cap ? EXIT.unfinished : EXIT.failed
    case 'halted':
    case 'capped':
    case 'needs-input':
      return EXIT.unfinished
    case 'aborted':
      return EXIT.aborted
  }
}
