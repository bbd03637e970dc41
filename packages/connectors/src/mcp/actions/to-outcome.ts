import type { OutcomeFacts, ToolOutcome } from '@capstan/harness'
import { fail, succeed, sanitizeLine } from '@capstan/harness'
import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client'
import {
  INVALID_PARAMS,
  InsufficientScopeError,
  METHOD_NOT_FOUND,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  UrlElicitationRequiredError,
} from '@modelcontextprotocol/client'
import type { CalledTool } from '../sessions/open-session.ts'
import type { WantedVisit } from '../errors.ts'
import {
  CannotStart,
  HttpProblem,
  SignInNeeded,
  SignInUnavailable,
  VisitsWanted,
  causesOf,
  findCause,
} from '../errors.ts'

const ERROR_CHARS = 1_000

/** What a tool answered, as text for a model. Pictures and files are named with their size, never written out. Pure. */
export function toOutcome({ result, wantedVisits }: CalledTool): ToolOutcome {
  const said = toText(result)
  const text = [said, ...wantedVisits.map(describeVisit)].filter((part) => part !== '').join('\n\n')
  if (result.isError !== true) return succeed(text === '' ? '(no output)' : text)
  // What it lacks is a person who goes there, and only a person decides that.
  const facts: OutcomeFacts = wantedVisits.length > 0 ? { errorCode: 'missing_permission' } : {}
  return fail(text === '' ? 'The action failed and gave no reason.' : text, facts)
}

const describeVisit = ({ url, message }: WantedVisit): string =>
  `The server wanted to send the person to ${url}${message === '' ? '' : ` (it says: ${message})`}. ` +
  'That page was not opened, and the request was declined. Whoever trusts the address can open it and try again.'

function toText({ content, structuredContent }: CallToolResult): string {
  const parts = content.map(describeBlock).filter((part) => part !== '')
  if (structuredContent !== undefined && !isAlreadySaid(structuredContent, content)) {
    parts.push(JSON.stringify(structuredContent))
  }
  return parts.join('\n\n')
}

// Most servers repeat their structured answer as text, for older clients: as JSON, or in words of their own.
function isAlreadySaid(structured: unknown, content: readonly ContentBlock[]): boolean {
  const said = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('\n')
  if (said === '') return false
  return leavesOf(structured).every(
    (leaf) => said.includes(leaf) || said.includes(JSON.stringify(leaf).slice(1, -1)),
  )
}

function leavesOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leavesOf)
  return [String(value)]
}

function describeBlock(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text
    case 'image':
    case 'audio':
      return `[${block.type}: ${sanitizeLine(block.mimeType, 80)}, ${toSize(bytesOf(block.data))}]`
    case 'resource_link': {
      const size = block.size === undefined ? '' : `, ${toSize(block.size)}`
      const name = sanitizeLine(block.title ?? block.name, 120)
      return `[link: ${name}, ${sanitizeLine(block.uri, 500)}${block.mimeType === undefined ? '' : `, ${sanitizeLine(block.mimeType, 80)}`}${size}]`
    }
    case 'resource': {
      const { resource } = block
      const uri = sanitizeLine(resource.uri, 500)
      if ('text' in resource) return `${uri}:\n${resource.text}`
      return `[file: ${uri}, ${sanitizeLine(resource.mimeType ?? 'unknown type', 80)}, ${toSize(bytesOf(resource.blob))}]`
    }
    default:
      return `[something of the unknown type ${sanitizeLine(String((block as { type: unknown }).type), 40)}]`
  }
}

const bytesOf = (base64: string): number => Math.floor((base64.replace(/=+$/, '').length * 3) / 4)

function toSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  return bytes < 1024 * 1024 ? `${(bytes / 1024).toFixed(1)} KB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

/** What went wrong with a call, with the facts that are known. Never repeats more of a stranger's text than a bit. Pure. */
export function toFailedOutcome(error: unknown, signal?: AbortSignal): ToolOutcome {
  if (signal?.aborted === true) return fail('The call was stopped.', { cancelled: true })
  for (const cause of causesOf(error)) {
    const outcome = explain(cause)
    if (outcome) return withPrinted(outcome, error)
  }
  return withPrinted(
    fail(`The server could not be used: ${sanitizeLine(messageOf(error), ERROR_CHARS)}`),
    error,
  )
}

// Why a program does not start is mostly what it printed last.
function withPrinted(outcome: ToolOutcome, error: unknown): ToolOutcome {
  const printed = findCause(error, CannotStart)?.printed ?? ''
  return printed === '' ? outcome : { ...outcome, text: `${outcome.text} Its program printed: ${printed}` }
}

function explain(error: unknown): ToolOutcome | undefined {
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
    })
  }
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
  if (error instanceof SdkError) return LIBRARY_PROBLEMS[error.code] // of another kind its cause may tell more
  return fromSystem(error)
}

function fromStatus(status: number, body: unknown, retryAfterMs?: number): ToolOutcome {
  const said = typeof body === 'string' ? sanitizeLine(body, ERROR_CHARS) : ''
  return fail(`The server answered HTTP ${status}${said === '' ? '.' : `: ${said}`}`, {
    httpStatus: status,
    ...(retryAfterMs === undefined ? undefined : { retryAfterMs }),
  })
}

const UNKNOWN_TOOL = /\b(unknown|no such|not found|does not exist|disabled)\b/i

function fromProtocol({ code, message }: ProtocolError): ToolOutcome {
  const text = `The server refused the call: ${sanitizeLine(message, ERROR_CHARS)}`
  if (code === INVALID_PARAMS) {
    const isUnknown = /\btool\b/i.test(message) && UNKNOWN_TOOL.test(message)
    return fail(text, { errorCode: isUnknown ? 'unknown_tool' : 'invalid_arguments' })
  }
  if (code === METHOD_NOT_FOUND) return fail(text, { errorCode: 'unsupported' })
  return fail(text)
}

const LIBRARY_PROBLEMS: Partial<Record<SdkErrorCode, ToolOutcome>> = {
  [SdkErrorCode.RequestTimeout]: fail('The server did not answer in time.', { timedOut: true }),
  [SdkErrorCode.ConnectionClosed]: fail('The connection to the server was closed.', {
    errorCode: 'ECONNRESET',
  }),
  [SdkErrorCode.NotConnected]: fail('The connection to the server was closed.', { errorCode: 'ECONNRESET' }),
  [SdkErrorCode.InvalidResult]: fail('The server answered with something that is not of the protocol.', {
    errorCode: 'service_unavailable',
  }),
  [SdkErrorCode.ClientHttpUnexpectedContent]: fail(
    'The server answered with something that is not of the protocol.',
    { errorCode: 'service_unavailable' },
  ),
}

function fromSystem(error: unknown): ToolOutcome | undefined {
  const { code, name } = error as { code?: unknown; name?: unknown }
  if (name === 'TimeoutError') return fail('The server did not answer in time.', { timedOut: true })
  if (typeof code !== 'string' || !/^(E[A-Z]+|UND_ERR_[A-Z_]+)$/.test(code)) return undefined
  if (/TIMEOUT/.test(code)) return fail('The server did not answer in time.', { timedOut: true })
  const errorCode = code.startsWith('UND_ERR') ? 'ECONNRESET' : code
  if (code === 'ENOENT')
    return fail('The program of the server is not installed: spawn ENOENT', { errorCode: 'missing_app' })
  return fail(`The server could not be reached (${errorCode}).`, { errorCode })
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
