import { classifyOutcome, isRecord, toErrorText } from '@capstan/harness/stages'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure } from '@capstan/protocol'

/** Why an app could not be read, in words for people. */
export function toSyncFailure(error: unknown): Failure {
  const fields = isRecord(error) ? error : {}
  const status = error instanceof Error && error.name === 'SignInNeeded' ? 401 : fields['status']
  const retryAfterMs = fields['retryAfterMs']
  return classifyOutcome({
    text: toErrorText(error),
    ...(typeof status === 'number' && { httpStatus: status }),
    ...(typeof retryAfterMs === 'number' && { retryAfterMs }),
    timedOut: error instanceof Error && error.name === 'TimeoutError',
    effect: 'read',
    inApp: true,
  })
}

/** The account has to be connected again first. */
export const NOT_CONNECTED: Failure = {
  class: 'not_connected',
  category: FAILURE_CATEGORIES.not_connected,
  cause: 'The account is not connected any more.',
  next: 'Connect it again. The sync then goes on by itself.',
  recoverable: false,
}

/** The person switched reading off. */
export const NO_READING: Failure = {
  class: 'blocked_by_policy',
  category: FAILURE_CATEGORIES.blocked_by_policy,
  cause: 'Reading is switched off for this app.',
  next: 'Allow reading for this app, or switch the sync off.',
  recoverable: false,
}

/** The app cannot be synced, or not any more. */
export const NO_SOURCE: Failure = {
  class: 'unsupported',
  category: FAILURE_CATEGORIES.unsupported,
  cause: 'This app offers nothing to sync now.',
  next: 'Look whether the app is still set up, or switch the sync off.',
  recoverable: false,
}
