import { looseCall } from '../compare/canonical-call.ts'
import type { Guard } from '../guard.ts'
import { haltAfterFailure } from '../halt-answer.ts'

/** How often the same call may be refused by a rule or by the user. */
const IDENTICAL_REFUSED_CALL = { attempts: 2 }

const MOST_CALLS = 64

/** Halts when a refused call is sent again. A refusal is a decision, so work in between does not reset the count. */
export function createIdenticalRefusedCallGuard(limits = IDENTICAL_REFUSED_CALL): Guard {
  const refusals = new Map<number, number>()
  return {
    name: 'identical-refused-call',
    afterCall(finished) {
      const { call, result } = finished
      if (result.failure?.category !== 'declined') {
        if (result.ok && refusals.size > 0) refusals.delete(looseCall(call))
        return undefined
      }
      const key = looseCall(call)
      const count = (refusals.get(key) ?? 0) + 1
      refusals.set(key, count)
      if (refusals.size > MOST_CALLS) refusals.delete(refusals.keys().next().value!)
      if (count >= limits.attempts) {
        refusals.clear()
        return haltAfterFailure(`"${result.tool}" was refused ${count} times`, count, finished)
      }
      if (count < limits.attempts - 1) return undefined
      return {
        action: 'nudge',
        text:
          `The call to "${result.tool}" was refused. Do not send it again: find a way that does not need it, or ` +
          'tell the user what was refused.',
      }
    },
    reset: () => refusals.clear(),
  }
}
