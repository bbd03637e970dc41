import type { IncomingMessage } from 'node:http'

/** Headers of one connection, which are not passed on, and those that only this proxy may write. */
const DROPPED: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'te',
  'upgrade',
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
])

/** They say where a body ends. A client cannot have them dropped: the rest of its body would be a request of its own. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding'])

/** The headers for the node, as a list of names and values. `host` stays: nodes compare it with the origin of the page. */
export function toNodeHeaders(request: IncomingMessage): string[] {
  return [
    ...keptHeaders(request),
    'x-forwarded-for',
    request.socket.remoteAddress ?? '',
    'x-forwarded-proto',
    'http',
    ...(request.headers.host === undefined ? [] : ['x-forwarded-host', request.headers.host]),
  ]
}

/** The headers of a message without those of its connection, as a list of names and values. */
export function keptHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  const named = new Set(headers.connection?.split(',').map((name) => name.trim().toLowerCase()))
  const kept: string[] = []
  for (let n = 0; n < rawHeaders.length; n += 2) {
    const name = rawHeaders[n]!
    const lower = name.toLowerCase()
    const isNamed = named.has(lower) && !FRAMING.has(lower)
    if (!DROPPED.has(lower) && !isNamed) kept.push(name, rawHeaders[n + 1]!)
  }
  return kept
}
