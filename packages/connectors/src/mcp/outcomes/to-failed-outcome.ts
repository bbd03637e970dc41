import type { ToolOutcome } from '@capstan/harness'
import { fail } from '@capstan/harness'
import { sanitizeLine, toErrorText } from '@capstan/harness/connectors'
import { SandboxError } from '@capstan/harness/sandbox'
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  InsufficientScopeError,
  METHOD_NOT_FOUND,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import {
  CannotStart,
  HttpProblem,
  SignInNeeded,
  SignInUnavailable,
  VisitsWanted,
  causesOf,
  findCause,
} from '../errors.ts'
import { MessageTooLarge, TOO_LARGE_CODE, TOO_LARGE_TEXT } from '../transports/message-meter.ts'
import { describeVisit } from './describe-visit.ts'
import { explainReach } from './explain-reach.ts'

const ERROR_CHARS = 1_000

/** A failed call as an outcome with the facts that are known. Quotes only a short, sanitized part of what the server wrote. Pure. */
export function toFailedOutcome(error: unknown, signal?: AbortSignal): ToolOutcome {
  if (signal?.aborted === true) return fail('The call was stopped.', { cancelled: true })
  for (const cause of causesOf(error)) {
    const outcome = explain(cause)
    if (outcome) return withPrinted(outcome, error)
  }
  return withPrinted(
    fail(`The server could not be used: ${sanitizeLine(toErrorText(error), ERROR_CHARS)}`),
    error,
  )
}

// The last lines a program printed mostly say why it does not start.
function withPrinted(outcome: ToolOutcome, error: unknown): ToolOutcome {
  const { printed = '', refusal = '', ending = '' } = findCause(error, CannotStart) ?? {}
  const said = printed === '' ? '' : `${ending === '' ? 'Its program' : 'It'} printed: ${printed}`
  // That it ended says more than that it cannot be reached.
  const first = ending === '' ? outcome.text : ''
  return { ...outcome, text: [first, ending, refusal, said].filter(Boolean).join(' ') }
}

function explain(error: unknown): ToolOutcome | undefined {
  if (error instanceof SandboxError) {
    const errorCode = error.reason === 'unavailable' ? 'missing_app' : 'missing_permission'
    return fail(`The program of the server was not started. ${error.message}`, { errorCode })
  }
  if (error instanceof SignInNeeded) {
    return fail('The server asks for a new sign-in: the token is missing, expired or was taken back.', {
      httpStatus: 401,
    })
  }
  if (error instanceof VisitsWanted) {
    return fail(error.visits.map(describeVisit).join('\n\n'), { errorCode: 'missing_permission' })
  }
  if (error instanceof SignInUnavailable) {
    return fail('The sign-in service of the app could not be reached, so no call was made.', {
      errorCode: 'service_unavailable',
      notStarted: true,
    })
  }
  if (error instanceof MessageTooLarge) return TOO_LARGE
  if (error instanceof HttpProblem) return fromStatus(error.status, error.text, error.retryAfterMs)
  if (error instanceof InsufficientScopeError) {
    const wanted = sanitizeLine(error.requiredScope ?? '', 200)
    return fail(
      `Insufficient scope: the sign-in does not allow this${wanted === '' ? '' : ` (the server wants: ${wanted})`}. Connect the app again.`,
      { httpStatus: 403 },
    )
  }
  if (error instanceof UrlElicitationRequiredError) {
    const visits = error.elicitations.map(({ url, message }) =>
      describeVisit({ url: sanitizeLine(url, 300), message: sanitizeLine(message, 300) }),
    )
    return fail(visits.join('\n\n'), { errorCode: 'missing_permission' })
  }
  if (error instanceof SdkHttpError) return fromStatus(error.data.status, error.data.text)
  if (error instanceof ProtocolError) return fromProtocol(error)
  if (error instanceof SdkError) return LIBRARY_PROBLEMS[error.code] // for other codes the cause may say more
  return isUnreadable(error) ? BROKEN : fromSystem(error)
}

/** An answer that is no JSON, or JSON of another shape. */
const isUnreadable = (error: unknown): boolean =>
  error instanceof SyntaxError || (error instanceof Error && /^\$?ZodError$/.test(error.name))

function fromStatus(status: number, body: unknown, retryAfterMs?: number): ToolOutcome {
  const said = typeof body === 'string' ? sanitizeLine(body, ERROR_CHARS) : ''
  return fail(`The server answered HTTP ${status}${said === '' ? '.' : `: ${said}`}`, {
    httpStatus: status,
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  })
}

const TOO_LARGE = fail(`${TOO_LARGE_TEXT} Ask for less at a time.`, { errorCode: 'too_large' })
const UNKNOWN_TOOL = /\b(unknown|no such|not found|does not exist|disabled)\b/i

function fromProtocol({ code, message }: ProtocolError): ToolOutcome {
  if (code === TOO_LARGE_CODE) return TOO_LARGE
  const text = `The server refused the call: ${sanitizeLine(message, ERROR_CHARS)}`
  if (code === INVALID_PARAMS) {
    const isUnknown = /\btool\b/i.test(message) && UNKNOWN_TOOL.test(message)
    return fail(text, { errorCode: isUnknown ? 'unknown_tool' : 'invalid_arguments' })
  }
  if (code === METHOD_NOT_FOUND) return fail(text, { errorCode: 'unsupported' })
  if (code === INTERNAL_ERROR) return fail(text, { errorCode: 'internal_error' })
  return fail(text)
}

const BROKEN = fail('The server answered with something that is not MCP.', { errorCode: 'broken_answer' })

const LIBRARY_PROBLEMS: Partial<Record<SdkErrorCode, ToolOutcome>> = {
  [SdkErrorCode.RequestTimeout]: fail('The server did not answer in time.', { timedOut: true }),
  [SdkErrorCode.ConnectionClosed]: fail('The connection to the server was closed.', {
    errorCode: 'ECONNRESET',
  }),
  [SdkErrorCode.NotConnected]: fail('The connection to the server was closed.', { errorCode: 'ECONNRESET' }),
  [SdkErrorCode.InvalidResult]: BROKEN,
  [SdkErrorCode.ClientHttpUnexpectedContent]: BROKEN,
}

function fromSystem(error: unknown): ToolOutcome | undefined {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'TimeoutError') return fail('The server did not answer in time.', { timedOut: true })
  const reach = explainReach(error)
  if (reach?.reasonCode === 'insecure') return fail(reach.reason, { errorCode: 'service_unavailable' })
  if (typeof code !== 'string' || !/^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return undefined
  if (/TIMEOUT/.test(code)) return fail('The server did not answer in time.', { timedOut: true })
  const errorCode = code.startsWith('UND_ERR') ? 'ECONNRESET' : code
  if (code === 'ENOENT')
    return fail('The program of the server is not installed: spawn ENOENT', { errorCode: 'missing_app' })
  return fail(reach?.reason ?? `The server could not be reached (${errorCode}).`, { errorCode })
}
