import type { ErrorHandler } from 'hono'
import { toProblem } from '../api-error.ts'
import type { AppEnv, AppOptions } from '../app-context.ts'
import { toApiError } from '../to-api-error.ts'

/** Answers every error as an `ApiProblem`. Only the log holds the details of a bug. */
export function answerErrors({
  metrics,
  logger,
}: Pick<AppOptions, 'metrics' | 'logger'>): ErrorHandler<AppEnv> {
  return (error, c) => {
    const refusal = toApiError(error)
    if (refusal.code === 'internal')
      logger.error({ err: error, requestId: c.get('requestId'), route: c.get('route') }, 'a request failed')
    metrics.countRefusal(refusal.code)
    const response = Response.json(toProblem(refusal), { status: refusal.status })
    if (refusal.retryAfterMs !== undefined)
      response.headers.set('retry-after', String(Math.ceil(refusal.retryAfterMs / 1000)))
    return response
  }
}
