import type { LookupAddress } from 'node:dns'
import type HttpModule from 'node:http'
import type { ClientRequest, IncomingMessage, RequestOptions } from 'node:http'
import { isIP } from 'node:net'
import type { Clock } from '../../turn/clock.ts'
import { createPinnedLookup } from './pinned-lookup.ts'

/** A request to a checked address. */
export interface PinnedRequest {
  readonly url: URL
  readonly addresses: readonly LookupAddress[]
  readonly method: 'GET' | 'HEAD'
  readonly headers: Readonly<Record<string, string>>
  readonly userAgent: string
  readonly connectTimeoutMs: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

/**
 * One request to one of the checked addresses, with the name kept for the Host header and the certificate. Follows
 * nothing, keeps no connection and sends no credentials of its own. Rejects when the network fails, time runs out or it
 * is aborted.
 */
export function requestPinned(wanted: PinnedRequest): Promise<IncomingMessage> {
  const { url, clock, connectTimeoutMs } = wanted
  const isSecure = url.protocol === 'https:'
  return new Promise((resolve, reject) => {
    const request = protocolOf(isSecure).request(toOptions(wanted, isSecure))
    const disarm = clock.after(connectTimeoutMs, () => {
      request.destroy(new ConnectTimeout(url.host, connectTimeoutMs))
    })
    onConnected(request, isSecure, disarm)
    request.once('response', resolve)
    request.on('error', (error: NodeJS.ErrnoException) => reject(withWords(error, url)))
    request.once('close', () => {
      disarm()
      // Settles what nothing else has: an upgrade, or a connection closed without an answer.
      reject(Object.assign(new Error('the connection was closed without an answer'), { code: 'ECONNRESET' }))
    })
    request.end()
  })
}

/** An `import` of `node:http` would read all it exports, which costs every start 40 ms. */
const protocolOf = (isSecure: boolean): typeof HttpModule =>
  isSecure
    ? (process.getBuiltinModule('node:https') as unknown as typeof HttpModule)
    : process.getBuiltinModule('node:http')

// When several addresses were tried, the error of all of them has a code and no words.
function withWords(error: NodeJS.ErrnoException, url: URL): Error {
  if (error.message !== '') return error
  return Object.assign(new Error(`${url.host} could not be reached`, { cause: error }), { code: error.code })
}

class ConnectTimeout extends Error {
  // By this name the tool path knows that time ran out.
  override readonly name = 'TimeoutError'

  constructor(host: string, ms: number) {
    super(`${host} did not let us connect within ${Math.round(ms / 100) / 10} seconds`)
  }
}

function toOptions(
  { url, addresses, method, headers, userAgent, signal }: PinnedRequest,
  isSecure: boolean,
): RequestOptions {
  const host = url.hostname.replace(/^\[|\]$/g, '')
  // An agent of its own: a pooled connection could lead elsewhere, and the shared one may be set to use a proxy.
  const agent = new (protocolOf(isSecure).Agent)({ keepAlive: false })
  return {
    agent,
    host,
    port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
    path: url.pathname + url.search,
    method,
    headers: {
      ...lowerCased(headers),
      host: url.host,
      'user-agent': userAgent,
      accept: 'text/html, application/json, text/*;q=0.9, */*;q=0.5',
      'accept-encoding': 'gzip, deflate, br',
    },
    lookup: createPinnedLookup(addresses),
    autoSelectFamily: true,
    signal,
    ...(isSecure && isIP(host) === 0 ? { servername: host } : undefined),
  } as RequestOptions
}

function onConnected(request: ClientRequest, isSecure: boolean, done: () => void): void {
  request.once('socket', (socket) => socket.once(isSecure ? 'secureConnect' : 'connect', done))
}

/** Otherwise a header of the caller would be sent beside one of ours with the same name. */
const lowerCased = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
