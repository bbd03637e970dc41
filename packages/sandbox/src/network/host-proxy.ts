import type { LookupAddress } from 'node:dns'
import { lookup } from 'node:dns/promises'
import { rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer, request } from 'node:http'
import type { Socket } from 'node:net'
import { connect, isIP } from 'node:net'
import type { Duplex } from 'node:stream'
import { isPublicAddress } from '@capstan/harness/connectors'
import { isNamedHost } from './match-host.ts'

/** A connection that was not allowed. */
export interface RefusedHost {
  readonly host: string
  readonly port: number
  readonly reason: 'not-named' | 'private-address'
}

/** A proxy on a Unix socket that lets named hosts through and nothing else. */
export interface HostProxy {
  readonly refused: readonly RefusedHost[]
  close(): void
}

export interface HostProxyOptions {
  readonly socketPath: string
  readonly hosts: readonly string[]
  /** Named hosts may lead to private addresses, such as a registry inside of a company. Default false. */
  readonly allowsPrivate?: boolean
  readonly resolve?: (name: string) => Promise<readonly LookupAddress[]>
}

const MAX_REFUSED = 20
const CONNECT_TIMEOUT_MS = 15_000
const HOP_HEADERS = new Set([
  'connection',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'upgrade',
])

type Way = { readonly address: LookupAddress } | { readonly refusal: string; readonly status: 403 | 502 }

/** Resolves when it listens. A name is resolved once, and the connection goes to the checked address. */
export async function startHostProxy(options: HostProxyOptions): Promise<HostProxy> {
  const { socketPath, hosts, allowsPrivate = false, resolve = resolveAll } = options
  const refused: RefusedHost[] = []
  const open = new Set<Duplex>()
  const track = <Kind extends Duplex>(socket: Kind): Kind => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
    socket.on('error', () => socket.destroy())
    return socket
  }

  function refuse(host: string, port: number, reason: RefusedHost['reason']): Way {
    if (refused.length < MAX_REFUSED && !refused.some((one) => one.host === host && one.port === port))
      refused.push({ host: host.slice(0, 253), port, reason })
    return { refusal: `${host}:${port} is not allowed by the sandbox (${reason})`, status: 403 }
  }

  async function findWay(host: string, port: number): Promise<Way> {
    if (!isNamedHost(host, port, hosts)) return refuse(host, port, 'not-named')
    // An address, or localhost, that is named itself is meant.
    const isMeant = allowsPrivate || isIP(host) !== 0 || host === 'localhost'
    let found: readonly LookupAddress[]
    try {
      found = isIP(host) === 0 ? await resolve(host) : [{ address: host, family: isIP(host) }]
    } catch {
      return { refusal: `${host} could not be resolved`, status: 502 }
    }
    const [first] = found
    if (!first) return { refusal: `${host} has no address`, status: 502 }
    if (!isMeant && found.some(({ address }) => !isPublicAddress(address)))
      return refuse(host, port, 'private-address')
    return { address: first }
  }

  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing))
  server.on('connection', track)
  server.on('connect', (incoming, socket, head) => void tunnel(incoming, track(socket), head))
  server.on('clientError', (_, socket) => socket.destroy())

  async function tunnel({ url = '' }: IncomingMessage, client: Duplex, head: Buffer): Promise<void> {
    const target = URL.parse(`http://${url}`)
    if (!target) return void client.end('HTTP/1.1 400 Bad Request\r\n\r\n')
    const port = Number(/:(\d+)$/.exec(url)?.[1] ?? 443)
    const way = await findWay(bare(target.hostname), port)
    if ('refusal' in way) return void client.end(toRefusal(way))
    const upstream: Socket = track(connect({ host: way.address.address, port, timeout: CONNECT_TIMEOUT_MS }))
    upstream.once('timeout', () => upstream.connecting && upstream.destroy())
    upstream.once('close', () => client.destroy())
    client.once('close', () => upstream.destroy())
    upstream.once('connect', () => {
      upstream.setTimeout(0)
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      upstream.write(head)
      upstream.pipe(client)
      client.pipe(upstream)
    })
  }

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const target = URL.parse(incoming.url ?? '')
    if (target?.protocol !== 'http:') return void outgoing.writeHead(400).end()
    const port = Number(target.port || 80)
    const way = await findWay(bare(target.hostname), port)
    if ('refusal' in way) return void outgoing.writeHead(way.status).end(`${way.refusal}\n`)
    const headers = Object.entries(incoming.headers).filter(([name]) => !HOP_HEADERS.has(name))
    const upstream = request({
      host: way.address.address,
      port,
      method: incoming.method ?? 'GET',
      path: `${target.pathname}${target.search}`,
      headers: { ...Object.fromEntries(headers), host: target.host },
    })
    upstream.once('response', (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(outgoing)
    })
    upstream.once('error', () => (outgoing.headersSent ? outgoing.destroy() : outgoing.writeHead(502).end()))
    outgoing.once('close', () => upstream.destroy())
    incoming.pipe(upstream)
  }

  await new Promise<void>((started, failed) => {
    server.once('error', failed)
    server.listen(socketPath, started)
  })
  server.unref()
  return {
    refused,
    close() {
      server.close()
      for (const socket of open) socket.destroy()
      rmSync(socketPath, { force: true })
    },
  }
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '').toLowerCase()

const toRefusal = ({ refusal, status }: { readonly refusal: string; readonly status: number }): string => {
  const body = `${refusal}\n`
  const reason = status === 403 ? 'Forbidden' : 'Bad Gateway'
  return `HTTP/1.1 ${status} ${reason}\r\ncontent-type: text/plain\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`
}

const resolveAll = (name: string): Promise<readonly LookupAddress[]> =>
  lookup(name, { all: true, order: 'verbatim' })
