import { classifyOutcome } from '@capstan/harness/stages'
import { FAILURE_CATEGORIES } from '@capstan/protocol'
import type { Failure } from '@capstan/protocol'
import { JobError } from './job-handler.ts'

/** Why a run failed, in words for people. */
export function toFailure(error: unknown): Failure {
  if (error instanceof JobError) return error.failure
  if (!(error instanceof Error)) return classifyOutcome({ text: String(error) })
  const code: unknown = 'code' in error ? error.code : undefined
  return classifyOutcome({ text: error.message, ...(typeof code === 'string' && { errorCode: code }) })
}

/** The node was killed each time: most likely the job is what kills it. */
export const GAVE_UP: Failure = {
  class: 'interrupted',
  category: FAILURE_CATEGORIES.interrupted,
  cause: 'The server stopped each time while it did this.',
  next: 'Look at the log of the server, then run it again.',
  recoverable: false,
  detail: { kind: 'gave-up' },
}

export const TIMED_OUT: Failure = classifyOutcome({ timedOut: true })
