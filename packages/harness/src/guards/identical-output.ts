import type { Guard } from './guard.ts'
import { haltWithoutProgress } from './halt-answer.ts'
import type { SeenCalls } from './seen-calls.ts'

/** How often a tool may give the same output to arguments that differ only cosmetically. */
const IDENTICAL_OUTPUT = { replies: 4 }

/**
 * Halts when a tool keeps giving the same output to what is in essence the same question. Other repetitions in
 * between do not hide it; anything new does away with it.
 */
export function createIdenticalOutputGuard(seen: SeenCalls, limits = IDENTICAL_OUTPUT): Guard {
  return {
    name: 'identical-output',
    afterCall({ result }) {
      const { kind, times } = seen.last
      if (kind !== 'repeat' || times < limits.replies - 1) return undefined
      if (times >= limits.replies) {
        return haltWithoutProgress(
          `"${result.tool}" gave the same answer ${times} times to what is in essence the same question`,
          result.text,
        )
      }
      return {
        action: 'nudge',
        text:
          `"${result.tool}" has given the same answer ${times} times. Asking it in another way does not change it: ` +
          'go on with what you know, or tell the user what is missing.',
      }
    },
    state: () => null,
    restore: () => {},
  }
}
