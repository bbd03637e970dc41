import { ApiError } from '../api-error.ts'

/** Throws `rate_limited` when there is a time to wait. */
export function refuseWhen(retryAfterMs: number): void {
  if (retryAfterMs > 0)
    throw new ApiError('rate_limited', 'That was too much at once. Try again in a moment.', { retryAfterMs })
}
