import {
  ConfigurationError,
  HeldError,
  StoppingError,
  StoreError,
  TurnInProgressError,
} from '@capstan/harness'
import { ApiError } from './api-error.ts'

/** What a client may see of an error. Of a bug it sees only that there was one. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  if (error instanceof ConfigurationError)
    return new ApiError('invalid', error.message, {
      field: error.field,
      ...(error.problem && { problem: error.problem }),
    })
  if (error instanceof TurnInProgressError)
    return new ApiError(
      'conflict',
      error.waitsFor ? 'The turn waits for an answer.' : 'A turn is running in this thread.',
    )
  if (error instanceof HeldError)
    return new ApiError('held', 'Everything is stopped. Release it, then send the message again.')
  if (error instanceof StoppingError)
    return new ApiError('unavailable', 'The server is about to stop. Send it again in a moment.', {
      retryAfterMs: 2_000,
    })
  if (error instanceof StoreError && error.kind === 'full')
    return new ApiError('unavailable', 'The disk is full. Make room and try again.', { retryAfterMs: 30_000 })
  if (error instanceof StoreError && error.kind === 'closed')
    return new ApiError('unavailable', 'The server is about to stop.', { retryAfterMs: 2_000 })
  if (error instanceof StoreError && BUSY.has(error.kind))
    return new ApiError('unavailable', 'What is stored cannot be reached right now. Try again in a moment.', {
      retryAfterMs: 2_000,
    })
  return new ApiError('internal', 'Something went wrong. The log of the server has the details.')
}

/** `moved`: another node has taken the thread over meanwhile, and answers the next request. */
const BUSY: ReadonlySet<string> = new Set(['io', 'locked', 'moved', 'lost'])
