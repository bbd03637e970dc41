import type { IncomingMessage } from 'node:http'
import type { Clock } from '../../turn/clock.ts'
import type { ToolOutcome } from '../../turn/tool/tool-outcome.ts'
import { fail, succeed } from '../../turn/tool/tool-outcome.ts'
import type { UrlRules } from './check-url.ts'
import { checkUrl } from './check-url.ts'
import { toNextUrl } from './next-url.ts'
import { requestPinned } from './request-pinned.ts'
import type { ResolveName } from './resolve-host.ts'
import { resolveHost } from './resolve-host.ts'

const MAX_REDIRECTS = 5

/** The rules of a fetch. */
export interface FetchRules extends UrlRules {
  readonly resolve: ResolveName
  readonly userAgent: string
  readonly connectTimeoutMs: number
}

/**
 * Follows a URL to its last answer, whose body is still unread. Every hop is read, resolved, checked and pinned anew.
 * Rejects when the network fails.
 */
export async function fetchPage(
  asked: string,
  {
    method,
    headers,
    holdsSecret,
    rules,
    clock,
    signal,
    mayVisit,
  }: {
    readonly method: 'GET' | 'HEAD'
    /** Sent to the first host alone: a redirect to another one is refused. */
    readonly headers: Readonly<Record<string, string>>
    /** Then a redirect to another host is refused: the address may carry the secret. */
    readonly holdsSecret: boolean
    readonly rules: FetchRules
    readonly clock: Clock
    readonly signal: AbortSignal
    /** Whether a redirect to another host may be followed without asking. */
    readonly mayVisit: (url: string) => boolean
  },
): Promise<{ readonly url: URL; readonly response: IncomingMessage } | { readonly refusal: ToolOutcome }> {
  let address = asked
  for (let hop = 0; hop <= MAX_REDIRECTS; hop++) {
    const checked = checkUrl(address, rules)
    if ('refusal' in checked) return checked
    const { url } = checked
    const resolved = await resolveHost(url, rules, rules.resolve)
    if ('refusal' in resolved) return resolved
    signal.throwIfAborted()
    const { userAgent, connectTimeoutMs } = rules
    const { addresses } = resolved
    const response = await requestPinned({
      url,
      addresses,
      method,
      headers,
      userAgent,
      connectTimeoutMs,
      clock,
      signal,
    })
    const move = toNextUrl(url, response.statusCode ?? 0, response.headers.location)
    if (!move) return { url, response }
    response.destroy()
    if ('refusal' in move) return move
    if (new URL(move.next).host !== url.host) {
      if (holdsSecret) return { refusal: leavesWithSecret(url) }
      if (Object.keys(headers).length > 0) return { refusal: leavesHost(url, move.next) }
      if (!mayVisit(move.next)) return { refusal: movedAway(url, move.next) }
    }
    address = move.next
  }
  return {
    refusal: fail(`More than ${MAX_REDIRECTS} redirects; gave up at ${address}.`, {
      errorCode: 'unsupported',
    }),
  }
}

/** The new address is not shown: it may repeat the secret in another form. */
const leavesWithSecret = (from: URL): ToolOutcome =>
  fail(
    `${from.host} redirects to another host. It was not followed, because the request holds a secret for ${from.host}. ` +
      'Tell the user instead of trying another way.',
    { deniedBy: 'policy' },
  )

const leavesHost = (from: URL, next: string): ToolOutcome =>
  fail(
    `${from.host} redirects to ${new URL(next).host}. It was not followed, because the request has headers for ${from.host}. ` +
      'Fetch the new URL without them if it is right.',
    { errorCode: 'unsupported' },
  )

/** The conversation has read private data, so a page may not send the reader to a host of its choice. */
const movedAway = (url: URL, next: string): ToolOutcome =>
  succeed(
    `${url.href} redirects to another host, which was not visited: ${next.slice(0, 2_000)}\n` +
      'Fetch that URL with a call of its own if the user needs it; the user may be asked first.',
  )
