import type { ApiProblem, ApiProblemCode, FieldProblem } from '@capstan/protocol'

/**
 * Why a request failed. `unreachable`: no whole answer came. `unavailable` also stands for an answer that is not of this
 * API, such as the page of a proxy.
 */
export type ApiErrorCode = ApiProblemCode | 'unreachable'

/** The server refused, did not answer, or answered something else. Screens word it by `code`; the message is for logs. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiErrorCode
  /** Which field was not accepted. */
  readonly field?: string
  /** Why, for a form. A newer server may have kinds that are not known here. */
  readonly problem?: FieldProblem
  readonly retryAfterMs?: number

  constructor(problem: { readonly code: ApiErrorCode } & Omit<ApiProblem['error'], 'code'>, cause?: unknown) {
    super(problem.message, { cause })
    this.code = problem.code
    if (problem.field !== undefined) this.field = problem.field
    if (problem.problem !== undefined) this.problem = problem.problem
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
  const { code, message, field, problem, retryAfterMs } = problemOf(
    await response.json().catch(() => undefined),
  )
  return new ApiError({
    // A newer server may have codes that are not known here.
    code: isText(code) ? (code as ApiProblemCode) : (CODES_BY_STATUS[response.status] ?? 'unavailable'),
    message: isText(message) ? message : `The server answered with status ${response.status}.`,
    ...(isText(field) ? { field } : {}),
    ...(isObject(problem) && isText(problem['kind']) ? { problem: problem as unknown as FieldProblem } : {}),
    ...(typeof retryAfterMs === 'number' && retryAfterMs >= 0 ? { retryAfterMs } : {}),
  })
}

function problemOf(body: unknown): Readonly<Partial<Record<keyof ApiProblem['error'], unknown>>> {
  return isObject(body) && isObject(body['error']) ? body['error'] : {}
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** Whether it came as an object of JSON; an array is none. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
