import type { TurnOutcome } from '@capstan/protocol'

export const EXIT = { done: 0, failed: 1, usage: 2, unfinished: 3, aborted: 130 } as const

/** What a script is told about a turn. A limit is no failure of anything: the work is merely not finished. */
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
