import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure, FailureClass } from '@capstan/protocol'

const failure = (what: FailureClass, cause: string, next: string): Failure => ({
  class: what,
  category: FAILURE_CATEGORIES[what],
  cause,
  next,
  recoverable: false,
})

/** The account has to be connected again first. */
export const NOT_CONNECTED = failure(
  'not_connected',
  'The account is not connected any more.',
  'Connect it again. Listening then goes on by itself.',
)

/** The person switched reading off. */
export const NO_READING = failure(
  'blocked_by_policy',
  'Reading is switched off for this app.',
  'Allow reading for this app, or remove the source.',
)

/** The app does not tell of changes, or not any more. */
export const NOT_TOLD = failure(
  'unsupported',
  'This app does not tell of changes.',
  'Sync it into memory, and use a source of its new items.',
)
