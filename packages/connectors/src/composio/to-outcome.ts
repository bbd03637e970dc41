import type { OutcomeFacts, ToolOutcome } from '@capstan/harness'
import { fail, succeed } from '@capstan/harness'
import { cutText, isRecord, sanitizeText } from '@capstan/harness/connectors'

const MAX_REASON_CHARS = 4_000

/** The answer to a call. Its HTTP status is 200 even when the app behind Composio refused. */
export interface ServiceAnswer {
  readonly successful?: unknown
  readonly error?: unknown
  readonly data?: unknown
}

/** An answer of Composio as an outcome. Never throws. */
export function toAnsweredOutcome(answer: ServiceAnswer): ToolOutcome {
  if (!isRecord(answer) || typeof answer.successful !== 'boolean') return BROKEN
  if (answer.successful) return succeed(toJson(answer.data))
  const said = reasonOf(answer)
  return fail(said || 'The app refused, and gave no reason.', factsOfApp(answer, said))
}

const BROKEN = fail('Composio answered with something that cannot be read.', { errorCode: 'broken_answer' })

/** The facts of the app's refusal, as far as Composio passes them on. */
function factsOfApp({ data }: ServiceAnswer, said: string): OutcomeFacts {
  const httpStatus = statusIn(data) ?? statusInText(said)
  const retryAfterMs = retryAfterIn(data)
  const isScope = httpStatus !== 401 && SCOPE.test(said)
  return {
    ...(httpStatus !== undefined && { httpStatus }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...(isScope && { errorCode: 'insufficient_scope' }),
  }
}

const SCOPE =
  /insufficient[_ -]?(?:authentication |permission )?scopes?|missing[_ -]scope|scope[_ -]?insufficient/i

/** What is known of a request that failed. */
export interface RequestFailure {
  readonly status?: number | undefined
  /** A network error, such as `ECONNREFUSED`. */
  readonly code?: string | undefined
  readonly timedOut?: boolean
  readonly retryAfterMs?: number | undefined
  /** Composio's own number and name of the error. */
  readonly errorNumber?: number | undefined
  readonly errorSlug?: string | undefined
  readonly message?: string | undefined
}

interface Rule {
  readonly matches: (failure: RequestFailure) => boolean
  readonly outcome: (failure: RequestFailure) => ToolOutcome
}

const status =
  (...codes: number[]) =>
  (failure: RequestFailure): boolean =>
    failure.status !== undefined && codes.includes(failure.status)
const quote = (before: string, { message }: RequestFailure): string =>
  message ? `${before}: ${message}` : `${before}.`

// The first rule that matches wins. 401 marks a connection as lost, so only an error that names the account becomes 401:
// another 404 means the action, and a rejected key is the project's.
const RULES: readonly Rule[] = [
  {
    matches: isAccountOfAnother,
    outcome: (failure) =>
      fail(quote('This account belongs to another user', failure), { errorCode: 'not_connected' }),
  },
  {
    matches: isAccountGone,
    outcome: (failure) => fail(quote('The account is not usable any more', failure), { httpStatus: 401 }),
  },
  {
    matches: status(404, 410),
    outcome: (failure) => fail(quote('There is no such action', failure), { errorCode: 'unknown_tool' }),
  },
  {
    matches: status(401, 403),
    outcome: () =>
      fail(
        'Composio did not accept the key of this installation. The connection itself is fine; whoever runs this has to look at the key.',
        { errorCode: 'service_unavailable' },
      ),
  },
  {
    matches: status(400, 422),
    outcome: (failure) =>
      fail(quote('The arguments were not accepted', failure), { errorCode: 'invalid_arguments' }),
  },
  {
    matches: status(429),
    outcome: (failure) => fail(quote('Composio takes no more calls for now', failure), withWait(failure)),
  },
  {
    matches: ({ timedOut }) => timedOut === true,
    outcome: () => fail('Composio did not answer in time.', { timedOut: true }),
  },
  {
    matches: (failure) => failure.status !== undefined,
    outcome: (failure) =>
      fail(quote(`Composio answered with an error (${failure.status})`, failure), withWait(failure)),
  },
]

/** A failed request as an outcome with the facts that are known. Never throws. */
export function toFailedOutcome(failure: RequestFailure): ToolOutcome {
  const rule = RULES.find(({ matches }) => matches(failure))
  if (rule) return rule.outcome(failure)
  // Without a status and without a code of the network there was an answer, and it is no JSON.
  if (failure.code === undefined) return BROKEN
  return fail('Composio could not be reached.', { errorCode: brokeOff(failure.code) ?? failure.code })
}

/** A connection that broke under the client has a code of its own. */
const brokeOff = (code: string): string | undefined =>
  code.startsWith('UND_ERR') && !code.includes('CONNECT') ? 'ECONNRESET' : undefined

function withWait({ status: httpStatus, retryAfterMs }: RequestFailure): OutcomeFacts {
  return {
    ...(httpStatus !== undefined && { httpStatus }),
    ...(retryAfterMs !== undefined && { retryAfterMs }),
  }
}

function isAccountOfAnother({ errorNumber, errorSlug }: RequestFailure): boolean {
  return errorNumber === 1812 || errorSlug === 'ActionExecute_ConnectedAccountEntityIdMismatch'
}

function isAccountGone({ errorNumber, errorSlug = '' }: RequestFailure): boolean {
  return (
    errorNumber === 1803 ||
    /^(?:ActionExecute_)?ConnectedAccount_?\w*(?:NotFound|Expired|Inactive|Revoked|Disabled)/.test(errorSlug)
  )
}

function reasonOf({ error, data }: ServiceAnswer): string {
  const own = typeof error === 'string' ? error : ''
  const inner = isRecord(data) ? [data['message'], data['error'], data['http_error']] : []
  const texts = [own, ...inner].filter((text): text is string => typeof text === 'string' && text !== '')
  return sanitizeText([...new Set(texts)].join('\n'), MAX_REASON_CHARS)
}

function statusIn(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined
  for (const field of ['status_code', 'statusCode', 'http_status', 'httpStatus', 'status']) {
    const value = Number(data[field])
    if (Number.isInteger(value) && value >= 400 && value < 600) return value
  }
  return undefined
}

/** A status in a text, only where the text says that the number is one. */
function statusInText(text: string): number | undefined {
  const found = /\b([45]\d\d) (?:client|server) error\b|\b(?:status(?: code)?|http)[ :=]+([45]\d\d)\b/i.exec(
    text,
  )
  return found ? Number(found[1] ?? found[2]) : undefined
}

function retryAfterIn(data: unknown): number | undefined {
  if (!isRecord(data)) return undefined
  const seconds = Number(data['retry_after'] ?? data['retryAfter'])
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : undefined
}

function toJson(data: unknown): string {
  try {
    return JSON.stringify(data) ?? 'Done.'
  } catch {
    return cutText(String(data), MAX_REASON_CHARS)
  }
}
