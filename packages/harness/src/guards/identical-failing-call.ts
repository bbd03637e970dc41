import { canonicalCall } from './canonical-call.ts'
import type { Guard } from './guard.ts'

/** How often the very same call may fail. */
export const IDENTICAL_FAILING_CALL = { attempts: 3, transientAttempts: 8 }

/**
 * Halts when one call, same tool and same arguments, keeps failing. A step before that the model is told. Counts
 * last for the whole turn; a success of the same call clears its count.
 */
export function createIdenticalFailingCallGuard(limits = IDENTICAL_FAILING_CALL): Guard {
  let failures = new Map<string, number>()
  return {
    name: 'identical-failing-call',
    afterCall({ call, result }) {
      if (!result.failure && failures.size === 0) return undefined
      const key = canonicalCall(call)
      if (!result.failure) {
        failures.delete(key)
        return undefined
      }
      const count = (failures.get(key) ?? 0) + 1
      failures.set(key, count)
      const limit = result.failure.recoverable ? limits.transientAttempts : limits.attempts
      if (count >= limit) {
        failures.delete(key)
        return {
          action: 'halt',
          text:
            `I stopped because "${result.tool}" failed ${count} times in a row with the same details. ` +
            `The last reason: ${clip(result.text)} ${result.failure.next}`,
        }
      }
      if (count < limit - 1) return undefined
      return {
        action: 'nudge',
        text:
          `The call to "${result.tool}" with these arguments has failed ${count} times. Do not send it again ` +
          'unchanged: change what you ask for, use another tool, or tell the user what is in the way.',
      }
    },
    state: () => Object.fromEntries(failures),
    restore: (state) => {
      failures = new Map(Object.entries(state as Record<string, number>))
    },
  }
}

const clip = (text: string): string => (text.length > 600 ? `${text.slice(0, 600)}…` : text)
