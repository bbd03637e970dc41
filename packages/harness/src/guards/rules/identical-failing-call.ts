import { canonicalCall, looseCall } from '../compare/canonical-call.ts'
import type { ToolCall } from '../../turn/tool/tool-call.ts'
import type { FinishedCall } from '../../turn/tool/finished-call.ts'
import type { Guard } from '../guard.ts'
import { haltAfterFailure } from '../halt-answer.ts'
import { OutputPrint, progressMark } from '../compare/output-print.ts'
import { reportsFailure } from '../compare/reports-failure.ts'
import type { SeenCalls } from '../compare/seen-calls.ts'

/**
 * How often an identical call may fail; how often with a transient failure; and how often a call with cosmetic
 * differences may fail for the same reason.
 */
export const IDENTICAL_FAILING_CALL = { attempts: 3, transientAttempts: 8, cosmeticAttempts: 4 }

/** How many different failed calls are remembered; the oldest is dropped. */
const MOST_CALLS = 64

interface Streak {
  readonly count: number
  /** The progress that the failure reports, if any. */
  readonly mark: string | undefined
}

/**
 * Halts when one call, same tool and same arguments, keeps failing; one step earlier it nudges. Counts last for the whole
 * turn. The count of a call is reset by its success, by a failure that changed after something else worked, and by a
 * failure that reports progress. A write that achieved something resets all counts.
 */
export function createIdenticalFailingCallGuard(
  limits: Partial<typeof IDENTICAL_FAILING_CALL> = {},
  seen?: SeenCalls,
): Guard {
  const { attempts, transientAttempts, cosmeticAttempts } = { ...IDENTICAL_FAILING_CALL, ...limits }
  const streaks = new Map<string, Streak>()

  function countUp(key: string, { mark, isAnew }: { mark?: string | undefined; isAnew: boolean }): number {
    const before = streaks.get(key)
    const isNearer = mark !== undefined && before !== undefined && before.mark !== mark
    const streak = { count: isAnew || isNearer ? 1 : (before?.count ?? 0) + 1, mark }
    streaks.delete(key)
    streaks.set(key, streak)
    if (streaks.size > MOST_CALLS) streaks.delete(streaks.keys().next().value!)
    return streak.count
  }

  function forget(call: ToolCall): void {
    streaks.delete(canonicalCall(call))
    const alike = `${looseCall(call)} `
    for (const key of streaks.keys()) if (key.startsWith(alike)) streaks.delete(key)
  }

  const reset = () => streaks.clear()

  return {
    name: 'identical-failing-call',
    afterCall(finished) {
      const { call, result, polls } = finished
      if (result.ok && !reportsFailure(result)) {
        if (streaks.size === 0) return undefined
        if (seen?.last.kind === 'progress' && result.effect !== 'read') streaks.clear()
        else forget(call)
        return undefined
      }
      if (polls) return undefined
      const isAnew = seen?.last.kind === 'changed-failure'
      const times = countUp(toIdentical(finished), { mark: progressMark(result.text), isAnew })
      const alike = countUp(toAlike(finished), { isAnew })
      const isTransient = result.failure?.recoverable === true
      const limit = isTransient ? transientAttempts : attempts
      const looseLimit = isTransient ? transientAttempts : cosmeticAttempts
      const tries = Math.max(times, alike)
      if (times >= limit || alike >= looseLimit) {
        reset()
        return haltAfterFailure(
          `"${result.tool}" failed ${tries} times with ${times >= limit ? 'the same' : 'nearly the same'} details`,
          tries,
          finished,
        )
      }
      if (times !== limit - 1 && alike !== looseLimit - 1) return undefined
      return {
        action: 'nudge',
        text:
          `The call to "${result.tool}" with these arguments has failed ${tries} times. Do not send it again ` +
          'unchanged: change what you ask for, use another tool, or tell the user what is in the way.',
      }
    },
    reset,
  }
}

/** An unknown tool fails with any arguments. */
const toIdentical = ({ call, result }: FinishedCall): string =>
  result.failure?.evidence?.rule === 'unknown-tool' ? `unknown ${result.tool}` : canonicalCall(call)

const toAlike = ({ call, result }: FinishedCall): string =>
  `${looseCall(call)} ${new OutputPrint(result.text, result.tool).same}`
