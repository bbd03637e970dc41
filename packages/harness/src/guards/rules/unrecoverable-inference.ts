import type { Failure } from '@capstan/protocol'
import type { Guard } from '../guard.ts'
import { haltAfterFailure } from '../halt-answer.ts'

/** Failures of a model that a retry does not change: no credit, no key, unknown model. */
const UNRECOVERABLE: ReadonlySet<Failure['class']> = new Set([
  'quota_exhausted',
  'bad_credentials',
  'not_found',
])

/**
 * Halts at once when the model of a delegated run fails for good: another delegation would fail the same way and cost
 * again. It checks the rule that the harness set when it classified the failed model call, never the text, so a script
 * that prints similar words halts nothing. The failure passes from the halted run to its parents.
 */
export function createUnrecoverableInferenceGuard(): Guard {
  return {
    name: 'unrecoverable-inference',
    afterCall(finished) {
      const { failure, tool } = finished.result
      if (!failure?.evidence?.rule.startsWith('model-') || !UNRECOVERABLE.has(failure.class)) return undefined
      // The text is for the model; the cause is for the user.
      return haltAfterFailure(`"${tool}" could not use its AI model`, 1, finished, failure.cause)
    },
  }
}
