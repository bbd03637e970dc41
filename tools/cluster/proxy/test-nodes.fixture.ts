import { once } from 'node:events'
import type { IncomingMessage, RequestListener } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { onTestFinished } from 'vitest'
import type { NodeList, ProxyNode } from './node-list.ts'
import { createNodeList } from './node-list.ts'
import type { RunningProxy } from './start-proxy.ts'
import { startProxy } from './start-proxy.ts'

/** A plain server in the place of a node. Its health route answers always. */
export interface TestNode extends ProxyNode {
  /** As when its process is killed: all connections end, no new one is taken. */
  kill(): Promise<void>
  /** Listens again on the same port. */
  revive(): Promise<void>
}

/** Starts a node. Without `answer` it answers with its name. It accepts every upgrade, says its name and echoes. */
export async function startNode(name: string, answer?: RequestListener): Promise<TestNode> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    if (request.url === '/api/health') return void response.end('{}')
    if (answer) return answer(request, response)
    response.end(name)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n\r\n')
    socket.write(`${name} ${request.url} ${String(request.headers['x-forwarded-for'])} `)
    socket.write(head)
    socket.pipe(socket)
  })
  const listen = async (port: number): Promise<number> => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
    return (server.address() as AddressInfo).port
  }
  const kill = async (): Promise<void> => {
    if (!server.listening) return
    const closed = once(server, 'close')
    server.close()
    for (const socket of sockets) socket.destroy()
    await closed
  }
  const port = await listen(0)
  onTestFinished(kill)
  return { name, host: '127.0.0.1', port, kill, revive: async () => void (await listen(port)) }
}

/** Starts a proxy in front of these nodes. It looks at them only when a test says so. */
export async function startTestProxy(
  ...nodes: readonly ProxyNode[]
): Promise<RunningProxy & { readonly nodes: NodeList }> {
  const list = createNodeList({ checkEveryMs: 3_600_000 })
  for (const node of nodes) list.add(node)
  const proxy = await startProxy(list)
  onTestFinished(() => proxy.close())
  return { ...proxy, nodes: list }
}

/** Sends these bytes. Settles with everything that comes back, when the other side has ended the connection. */
export async function sendRaw(url: string, bytes: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  onTestFinished(() => void socket.destroy())
  socket.write(bytes)
  return text(socket)
}
