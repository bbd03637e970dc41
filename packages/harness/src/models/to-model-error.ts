import {
  APICallError,
  InvalidArgumentError,
  InvalidPromptError,
  InvalidResponseDataError,
  LoadAPIKeyError,
  NoSuchModelError,
  UnsupportedFunctionalityError,
} from '@ai-sdk/provider'
import { readRetryAfter } from '../text/retry-after.ts'
import { ModelError } from '../turn/errors.ts'
import type { ModelErrorFacts } from '../turn/errors.ts'
import { isRecord } from '../turn/json.ts'
import { isRetryableStatus } from './is-retryable-status.ts'

type Facts = Omit<ModelErrorFacts, 'model'>

/**
 * Converts an error that a provider threw or streamed into facts. The message is short and for logs. The original error
 * is not kept as the cause, because it holds the whole conversation.
 */
export function toModelError(error: unknown, model: string, during: 'request' | 'stream'): ModelError {
  if (error instanceof ModelError) return error
  const facts = factsOf(error, during)
  const status = facts.httpStatus === undefined ? '' : ` ${facts.httpStatus}`
  const code = facts.errorCode === undefined ? '' : ` ${facts.errorCode}`
  const message = `${model}: ${facts.kind}${status}${code}: ${textOf(error).slice(0, 300)}`
  return new ModelError(message, { ...facts, model }, { cause: causeOf(error) })
}

function factsOf(error: unknown, during: 'request' | 'stream'): Facts {
  if (APICallError.isInstance(error)) return factsOfCall(error, during)
  if (LoadAPIKeyError.isInstance(error)) {
    return { kind: 'http', httpStatus: 401, errorCode: 'missing_api_key', retryable: false }
  }
  if (NoSuchModelError.isInstance(error)) {
    return { kind: 'http', httpStatus: 404, errorCode: 'model_not_found', retryable: false }
  }
  if (
    UnsupportedFunctionalityError.isInstance(error) ||
    InvalidPromptError.isInstance(error) ||
    InvalidArgumentError.isInstance(error)
  ) {
    return { kind: 'unsupported', retryable: false }
  }
  // The SDK reports a stream that ended too early as invalid data, with no data in it.
  if (InvalidResponseDataError.isInstance(error) && error.data === undefined)
    return { kind: 'cut', retryable: true }
  if (isConnectionError(error)) return { kind: during === 'stream' ? 'cut' : 'network', retryable: true }
  // An error object in the stream is read as the matching status.
  if (!(error instanceof Error) && isRecord(error)) return factsOfBody(error, statusOf(error))
  return { kind: 'malformed', retryable: true }
}

function factsOfCall(error: APICallError, during: 'request' | 'stream'): Facts {
  const { statusCode, responseHeaders, responseBody } = error
  if (statusCode === undefined) return { kind: during === 'stream' ? 'cut' : 'network', retryable: true }
  if (statusCode < 400) {
    const broken = isConnectionError(error.cause)
    return { kind: broken ? 'cut' : 'malformed', httpStatus: statusCode, retryable: true }
  }
  const body = parseBody(responseBody) ?? error.data
  const facts = factsOfBody(isRecord(body) ? body : {}, statusCode)
  const retryAfterMs = readRetryAfter((name) => responseHeaders?.[name], Date.now()) ?? retryInfoOf(body)
  return retryAfterMs === undefined ? facts : { ...facts, retryAfterMs }
}

/** Reads the error bodies of the big providers: `{error: {code, type, status, message}}`, or the same one level up. */
function factsOfBody(body: Readonly<Record<string, unknown>>, httpStatus: number | undefined): Facts {
  const inner = isRecord(body['error']) ? body['error'] : body
  const errorCode = codeOf(inner)
  const status = httpStatus ?? STATUS_OF_CODE[errorCode ?? '']
  if (errorCode !== undefined && FILTERED.has(errorCode)) {
    return {
      kind: 'refused',
      errorCode,
      retryable: false,
      ...(status === undefined ? {} : { httpStatus: status }),
    }
  }
  const outOfMoney = errorCode !== undefined && OUT_OF_MONEY.has(errorCode)
  const isFinal = outOfMoney || errorCode === 'images_unsupported'
  return {
    kind: 'http',
    ...(status === undefined ? {} : { httpStatus: status }),
    ...(errorCode === undefined ? {} : { errorCode: outOfMoney ? 'insufficient_quota' : errorCode }),
    retryable: !isFinal && (status === undefined || isRetryableStatus(status)),
  }
}

function codeOf(inner: Readonly<Record<string, unknown>>): string | undefined {
  const message = typeof inner['message'] === 'string' ? inner['message'] : ''
  // Some important refusals differ only in their text.
  for (const [pattern, code] of CODE_OF_TEXT) if (pattern.test(message)) return code
  for (const field of ['code', 'type', 'status']) {
    const value = inner[field]
    if (typeof value === 'string' && value !== '' && value !== 'error' && !/^\d+$/.test(value)) return value
  }
  return undefined
}

const CODE_OF_TEXT: readonly (readonly [RegExp, string])[] = [
  [/credit balance is too low/i, 'insufficient_quota'],
  [
    /prompt is too long|maximum context length|context (length|window) (is |was )?exceed|exceeds? the (model'?s )?(maximum )?context|input token count .{0,80} exceeds/i,
    'context_length_exceeded',
  ],
  [
    /(?:image|vision|multimodal)\w{0,9}\b.{0,60}\b(?:not supported|not enabled|unsupported|only supported by)|(?:not support|support no|not accept|endpoints found that support) (?:the )?(?:image|vision)|not a (?:multimodal|vision)|unknown variant `image_url`/i,
    'images_unsupported',
  ],
]

/** The many names of an empty account; it is reported as `insufficient_quota`. */
const OUT_OF_MONEY: ReadonlySet<string> = new Set([
  'insufficient_quota',
  'billing_error',
  'billing_hard_limit_reached',
  'billing_not_active',
  'insufficient_credits',
  'insufficient_balance',
  'payment_required',
  'quota_exceeded',
])

const FILTERED: ReadonlySet<string> = new Set([
  'content_filter',
  'content_policy_violation',
  'ResponsibleAIPolicyViolation',
])

const STATUS_OF_CODE: Readonly<Record<string, number>> = {
  invalid_request_error: 400,
  invalid_prompt: 400,
  context_length_exceeded: 400,
  authentication_error: 401,
  invalid_api_key: 401,
  billing_error: 402,
  permission_error: 403,
  not_found_error: 404,
  model_not_found: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  rate_limit_exceeded: 429,
  insufficient_quota: 429,
  api_error: 500,
  server_error: 500,
  timeout_error: 504,
  overloaded_error: 529,
}

function statusOf(error: Readonly<Record<string, unknown>>): number | undefined {
  for (const field of ['statusCode', 'status', 'code']) {
    const status = Number(error[field])
    if (Number.isInteger(status) && status >= 400 && status <= 599) return status
  }
  return undefined
}

/** Google names the delay in the body: `{error: {details: [{retryDelay: "34s"}]}}`. */
function retryInfoOf(body: unknown): number | undefined {
  const error = isRecord(body) && isRecord(body['error']) ? body['error'] : undefined
  if (!Array.isArray(error?.['details'])) return undefined
  for (const detail of error['details']) {
    const seconds: unknown = isRecord(detail) ? detail['retryDelay'] : undefined
    if (typeof seconds === 'string' && /^[\d.]+s$/.test(seconds)) return Number.parseFloat(seconds) * 1000
  }
  return undefined
}

function parseBody(text: string | undefined): unknown {
  if (!text?.startsWith('{')) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const CONNECTION_CODES = /^(E[A-Z]+|UND_ERR_[A-Z_]+|ConnectionRefused|ConnectionClosed)$/
const CONNECTION_WORDS =
  /^(terminated|fetch failed|failed to fetch|socket hang up|network error|other side closed)$/i

function isConnectionError(error: unknown): boolean {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth++) {
    if ('code' in at && typeof at.code === 'string' && CONNECTION_CODES.test(at.code)) return true
    if (CONNECTION_WORDS.test(at.message) || at.name === 'AbortError' || at.name === 'TimeoutError')
      return true
  }
  return false
}

function causeOf(error: unknown): unknown {
  return APICallError.isInstance(error) ? error.cause : error instanceof Error ? error : undefined
}

function textOf(error: unknown): string {
  if (error instanceof Error) return error.message
  return isRecord(error) && typeof error['message'] === 'string' ? error['message'] : 'error in the stream'
}
