import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { toNodeHeaders } from './forwarded-headers.ts'
import type { NodeList, ProxyNode } from './node-list.ts'

const UNAVAILABLE = 'HTTP/1.1 503 Service Unavailable\r\nconnection: close\r\ncontent-length: 0\r\n\r\n'

/** Connects a WebSocket with the first node that takes the connection. If one side ends, so does the other. */
export async function forwardUpgrade(
  nodes: NodeList,
  request: IncomingMessage,
  client: Socket,
  head: Buffer,
): Promise<void> {
  client.on('error', () => client.destroy())
  for (const node of nodes.order()) {
    const upstream = await tryConnect(node)
    if (!upstream) {
      nodes.markDown(node)
      continue
    }
    if (client.destroyed) return void upstream.destroy()
    upstream.write(toRequestHead(request))
    upstream.write(head)
    join(client, upstream)
    return
  }
  client.end(UNAVAILABLE)
}

function tryConnect({ host, port }: ProxyNode): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, noDelay: true })
    socket.once('connect', () => resolve(socket))
    socket.on('error', () => {
      socket.destroy()
      resolve(undefined)
    })
  })
}

function toRequestHead(request: IncomingMessage): string {
  const lines = [`${request.method} ${request.url} HTTP/1.1`]
  const headers = [
    ...toNodeHeaders(request),
    'connection',
    'Upgrade',
    'upgrade',
    request.headers.upgrade ?? 'websocket',
  ]
  for (let n = 0; n < headers.length; n += 2) lines.push(`${headers[n]}: ${headers[n + 1]}`)
  return `${lines.join('\r\n')}\r\n\r\n`
}

function join(client: Socket, upstream: Socket): void {
  client.setNoDelay(true)
  client.pipe(upstream)
  upstream.pipe(client)
  client.on('close', () => upstream.destroy())
  upstream.on('close', () => client.destroy())
}
