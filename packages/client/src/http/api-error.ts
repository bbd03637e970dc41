import type { ApiProblem, ApiProblemCode } from '@capstan/protocol'

/** Why a request failed. `unreachable`: no answer came at all. */
export type ApiErrorCode = ApiProblemCode | 'unreachable'

/** The server refused, or did not answer. Screens word it by `code`; the message is for logs. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** Which field was not accepted. */
  readonly field?: string
  readonly retryAfterMs?: number

  constructor(problem: { readonly code: ApiErrorCode } & Omit<ApiProblem['error'], 'code'>, cause?: unknown) {
    super(problem.message, { cause })
    this.code = problem.code
    if (problem.field !== undefined) this.field = problem.field
    if (problem.retryAfterMs !== undefined) this.retryAfterMs = problem.retryAfterMs
  }
}

const CODES_BY_STATUS: Readonly<Record<number, ApiProblemCode>> = {
  400: 'invalid',
  401: 'signed_out',
  403: 'forbidden',
  404: 'not_found',
  409: 'conflict',
  413: 'too_large',
  429: 'rate_limited',
  500: 'internal',
}

/** The error of a refused response. A proxy may answer without our body; then the status decides. */
export async function toApiError(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => undefined)
  if (isProblem(body)) return new ApiError(body.error)
  const code = CODES_BY_STATUS[response.status] ?? 'unavailable'
  return new ApiError({ code, message: `The server answered with status ${response.status}.` })
}

function isProblem(body: unknown): body is ApiProblem {
  if (typeof body !== 'object' || body === null || !('error' in body)) return false
  const { error } = body
  return typeof error === 'object' && error !== null && 'code' in error && 'message' in error
}
