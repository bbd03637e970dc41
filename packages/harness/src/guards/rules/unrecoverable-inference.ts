import type { Failure } from '@capstan/protocol'
import type { Guard } from '../guard.ts'
import { haltAfterFailure } from '../halt-answer.ts'

/** What no further try changes, when it is a model that failed: no credit, no key, no such model. */
const UNRECOVERABLE: ReadonlySet<Failure['class']> = new Set([
  'quota_exhausted',
  'bad_credentials',
  'not_found',
])

/**
 * Halts at once when a delegated run could not reach its model for good: another delegation would fail alike and
 * cost again. Goes by the rule the harness itself set when it classified a failed model call, never by text, so a
 * script that prints similar words stops nothing. The failure travels up with the halted run, from parent to parent.
 */
export function createUnrecoverableInferenceGuard(): Guard {
  return {
    name: 'unrecoverable-inference',
    afterCall(finished) {
      const { failure, tool } = finished.result
      if (!failure?.evidence?.rule.startsWith('model-') || !UNRECOVERABLE.has(failure.class)) return undefined
      // Its text speaks to the model; the cause speaks to the user.
      return haltAfterFailure(`"${tool}" could not use its AI model`, 1, finished, failure.cause)
    },
    state: () => null,
    restore: () => {},
  }
}
