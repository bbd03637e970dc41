import type { Guard } from '../guard.ts'
import { haltAfterFailure } from '../halt-answer.ts'
import { reportsFailure } from '../compare/reports-failure.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'

/**
 * How many calls of any tools may fail in a row; the same with transient failures among them; and over how many replies
 * at least, since the calls of one reply were requested before the first had failed.
 */
const CONSECUTIVE_FAILURES = { attempts: 6, transientAttempts: 12, replies: 3 }

/**
 * Halts when calls of any tools fail in a row. A success resets the count, unless it only repeats an earlier one; so does
 * a failure that has changed after such a success. A declared wait does not.
 */
export function createConsecutiveFailuresGuard(limits = CONSECUTIVE_FAILURES, seen?: SeenCalls): Guard {
  let lasting = 0
  let all = 0
  let replies = 0
  let failedInReply = false
  const reset = () => {
    lasting = 0
    all = 0
    replies = 0
    failedInReply = false
  }
  return {
    name: 'consecutive-failures',
    beforeCalls() {
      failedInReply = false
      return undefined
    },
    afterCall(finished) {
      const { result, polls } = finished
      if (result.ok) {
        if (all > 0 && !polls && !reportsFailure(result) && seen?.last.kind !== 'repeat') reset()
        return undefined
      }
      if (seen?.last.kind === 'changed-failure') reset()
      all++
      if (!result.failure?.recoverable) lasting++
      if (!failedInReply) replies++
      failedInReply = true
      const left = Math.max(
        Math.min(limits.attempts - lasting, limits.transientAttempts - all),
        limits.replies - replies,
      )
      if (left <= 0) {
        const failures = all
        reset()
        return haltAfterFailure(
          `${failures} calls in a row failed, the last of them "${result.tool}"`,
          failures,
          finished,
        )
      }
      if (left > 1) return undefined
      return {
        action: 'nudge',
        text:
          `${all} calls in a row have failed. Look at what the failures have in common before you try anything ` +
          'else; if the user has to settle it, say so now.',
      }
    },
    reset,
  }
}
