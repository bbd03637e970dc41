import type { FailureClass } from '@capstan/protocol'

const CLASSES: Readonly<Record<number, FailureClass>> = {
  401: 'bad_credentials',
  402: 'quota_exhausted',
  403: 'missing_permission',
  404: 'not_found',
  405: 'unsupported',
  407: 'bad_credentials',
  408: 'timeout',
  409: 'conflict',
  410: 'not_found',
  412: 'conflict',
  413: 'too_large',
  414: 'too_large',
  415: 'unsupported',
  419: 'bad_credentials',
  421: 'service_unavailable',
  423: 'conflict',
  429: 'rate_limited',
  431: 'too_large',
  440: 'bad_credentials',
  451: 'blocked_by_policy',
  499: 'cancelled',
  501: 'unsupported',
  504: 'timeout',
  505: 'unsupported',
  522: 'timeout',
  524: 'timeout',
}

/** The class of a status code of HTTP that stands alone. Undefined for a code that is no failure. */
export function classOfStatus(status: number): FailureClass | undefined {
  if (status < 400 || status > 599) return undefined
  return CLASSES[status] ?? (status < 500 ? 'invalid_input' : 'service_unavailable')
}

const NOT_ACCEPTED: readonly FailureClass[] = [
  'quota_exhausted',
  'rate_limited',
  'bad_credentials',
  'missing_permission',
  'conflict',
  'too_large',
  'not_found',
  'unsupported',
  'not_connected',
  'blocked_by_policy',
  'model_unreachable',
]

const NARROWER: Readonly<Record<number, readonly FailureClass[]>> = {
  400: NOT_ACCEPTED,
  401: ['not_connected'],
  403: ['bad_credentials', 'rate_limited', 'quota_exhausted', 'blocked_by_policy', 'not_connected'],
  404: ['missing_permission', 'model_unreachable', 'not_connected'],
  422: NOT_ACCEPTED,
  429: ['quota_exhausted'],
}
const BROKEN: readonly FailureClass[] = ['rate_limited', 'timeout', 'model_unreachable']

/** Other classes a status code may mean, if the text confirms one. A 403 has four meanings. */
export function mayRatherBe(status: number): readonly FailureClass[] {
  return NARROWER[status] ?? (status >= 500 ? BROKEN : [])
}
