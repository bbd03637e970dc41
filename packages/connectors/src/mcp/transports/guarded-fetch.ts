import { isPublicAddress } from '@capstan/harness/connectors'
import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { request as requestHttp } from 'node:http'
import type { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { LookupFunction } from 'node:net'
import type { FetchLike } from '@modelcontextprotocol/client'
import { untilAborted } from '../../until-aborted.ts'

/** An address that a server named and that is not safe to visit. A `TypeError`, like every failed fetch. */
export class RefusedUrl extends TypeError {
  override readonly name = 'RefusedUrl'
}

export interface GuardedFetchOptions {
  /** The configured server. Whether it is local, internal or public decides which addresses it may name. */
  readonly serverUrl: URL
  /** For one request with its body. Default 15 seconds. */
  readonly timeoutMs?: number
  /** Of a body. Default 1 MB. */
  readonly maxBytes?: number
  /** All addresses of a name. Default: as the system resolves it. */
  readonly resolve?: (name: string) => Promise<readonly string[]>
}

/**
 * A `fetch` for addresses that a server names: metadata, registration, tokens. It allows https, and plain http on this
 * machine when the server is on this machine too. A public server cannot make it connect to our internal network: every
 * address of a host name is checked, and the connection goes to the checked address. It follows no redirect, is bounded in
 * time and size, and reads the whole body before it answers.
 */
export function createGuardedFetch({
  serverUrl,
  timeoutMs = 15_000,
  maxBytes = 1024 * 1024,
  resolve = resolveBySystem,
}: GuardedFetchOptions): FetchLike {
  return async (input, init) => {
    const url = new URL(input)
    checkUrl(url, serverUrl)
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = init?.signal ? AbortSignal.any([timeout, init.signal]) : timeout
    const addresses = await untilAborted(checkedAddresses(url, serverUrl, resolve), signal)
    return send(url, init ?? {}, { addresses, signal, maxBytes })
  }
}

/** Whether a host name always means this machine. Pure. */
export function isLoopbackHost(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '')
  return host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127(\.\d+){3}$/.test(host)
}

/** Throws a `RefusedUrl` for an address that this server must not name. */
export function checkUrl(url: URL, serverUrl: URL): void {
  if (url.username !== '' || url.password !== '') throw new RefusedUrl('an address with a password in it')
  if (url.protocol === 'https:' || url.origin === serverUrl.origin) return
  const isLocal =
    url.protocol === 'http:' && isLoopbackHost(url.hostname) && isLoopbackHost(serverUrl.hostname)
  if (!isLocal) throw new RefusedUrl(`an address that is not https: ${url.protocol}//${url.host}`)
}

const resolveBySystem = async (name: string): Promise<readonly string[]> =>
  (await lookup(name, { all: true, order: 'verbatim' })).map(({ address }) => address)

async function checkedAddresses(
  url: URL,
  serverUrl: URL,
  resolve: (name: string) => Promise<readonly string[]>,
): Promise<readonly LookupAddress[]> {
  const addressesOf = async (host: string) => (isIP(host) === 0 ? await resolve(host) : [host])
  const host = bareHost(url)
  const found = await addressesOf(host)
  if (found.length === 0) throw new TypeError(`${url.host} has no address`)
  const isInside = !found.every((address) => isPublicAddress(address))
  if (isInside && url.hostname !== serverUrl.hostname) {
    const ofServer = await addressesOf(bareHost(serverUrl))
    if (ofServer.some((address) => isPublicAddress(address))) {
      throw new RefusedUrl(`an address inside this network: ${url.host}`)
    }
  }
  return found.map((address) => ({ address, family: isIP(address) }))
}

const bareHost = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '')

interface Checked {
  readonly addresses: readonly LookupAddress[]
  readonly signal: AbortSignal
  readonly maxBytes: number
}

function send(url: URL, init: RequestInit, { addresses, signal, maxBytes }: Checked): Promise<Response> {
  return new Promise((resolve, reject) => {
    const isSecure = url.protocol === 'https:'
    const host = bareHost(url)
    const body = toText(init.body)
    const headers = Object.fromEntries(new Headers(init.headers))
    const request = (isSecure ? requestHttps : requestHttp)({
      host,
      port: url.port === '' ? (isSecure ? 443 : 80) : Number(url.port),
      path: url.pathname + url.search,
      method: init.method ?? 'GET',
      headers: {
        ...headers,
        host: url.host,
        ...(body === undefined ? undefined : { 'content-length': Buffer.byteLength(body) }),
      },
      agent: false,
      lookup: pinTo(addresses),
      signal,
      ...(isSecure && isIP(host) === 0 ? { servername: host } : undefined),
    })
    const lose = (error: Error) =>
      reject(signal.aborted ? (signal.reason as Error) : toFetchError(error, url))
    request.on('error', lose)
    request.on('response', (response) => {
      readBody(response, maxBytes).then((bytes) => resolve(toResponse(response, bytes)), lose)
    })
    request.end(body)
  })
}

function toText(body: RequestInit['body']): string | undefined {
  if (body === undefined || body === null) return undefined
  if (typeof body === 'string') return body
  if (body instanceof URLSearchParams) return body.toString()
  throw new TypeError('only text is sent')
}

async function readBody(response: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const piece of response as AsyncIterable<Buffer>) {
    size += piece.length
    if (size > maxBytes) {
      response.destroy()
      throw new TypeError(`the answer is larger than ${maxBytes} bytes`)
    }
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}

function toResponse(response: IncomingMessage, bytes: Buffer): Response {
  const headers = new Headers()
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined) headers.set(name, Array.isArray(value) ? value.join(', ') : value)
  }
  const status = response.statusCode ?? 502
  const mayHaveBody = status >= 200 && ![204, 205, 304].includes(status)
  return new Response(mayHaveBody ? new Uint8Array(bytes) : null, {
    status: status >= 200 ? status : 502,
    statusText: response.statusMessage ?? '',
    headers,
  })
}

const toFetchError = (error: Error, url: URL): Error =>
  error instanceof TypeError ? error : new TypeError(`${url.host} could not be reached`, { cause: error })

// A second DNS answer could differ from the one that was checked.
function pinTo(addresses: readonly LookupAddress[]): LookupFunction {
  return (_name, options, done) => {
    const first = addresses[0]!
    if (options.all) done(null, [...addresses])
    else done(null, first.address, first.family)
  }
}
