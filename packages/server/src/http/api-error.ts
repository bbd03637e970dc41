import type { ApiProblem, ApiProblemCode, FieldProblem } from '@capstan/protocol'

type Status = 400 | 401 | 403 | 404 | 409 | 413 | 415 | 429 | 500 | 503

const STATUS: Readonly<Record<ApiProblemCode, Status>> = {
  invalid: 400,
  signed_out: 401,
  forbidden: 403,
  login_again: 403,
  not_found: 404,
  conflict: 409,
  held: 409,
  too_large: 413,
  rate_limited: 429,
  limit_reached: 429,
  unavailable: 503,
  internal: 500,
}

/** A refusal that the client may see. Its message contains nothing of the request. */
export class ApiError extends Error {
  override readonly name = 'ApiError'
  readonly code: ApiProblemCode
  readonly status: Status
  readonly field?: string
  readonly problem?: FieldProblem
  readonly retryAfterMs?: number

  constructor(
    code: ApiProblemCode,
    message: string,
    more: {
      readonly field?: string
      readonly problem?: FieldProblem
      readonly retryAfterMs?: number
      readonly status?: Status
    } = {},
  ) {
    super(message)
    this.code = code
    this.status = more.status ?? STATUS[code]
    if (more.field !== undefined) this.field = more.field
    if (more.problem !== undefined) this.problem = more.problem
    if (more.retryAfterMs !== undefined) this.retryAfterMs = more.retryAfterMs
  }
}

/** The body of a refusal. */
export function toProblem({ code, message, field, problem, retryAfterMs }: ApiError): ApiProblem {
  return {
    error: {
      code,
      message,
      ...(field === undefined ? undefined : { field }),
      ...(problem === undefined ? undefined : { problem }),
      ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
    },
  }
}

/** For an unknown id and for an id of another user: both get the same answer. */
export const notFound = (): ApiError => new ApiError('not_found', 'Not found.')
