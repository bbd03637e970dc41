import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { forwardRequest } from './forward-request.ts'
import { forwardUpgrade } from './forward-upgrade.ts'
import type { NodeList } from './node-list.ts'

/** A proxy that listens. */
export interface RunningProxy {
  readonly url: string
  /** Ends all connections. */
  close(): Promise<void>
}

/**
 * Starts a reverse proxy on this machine: each request and each socket goes to another node. For trying a cluster out;
 * it has no TLS and no limits. Rejects when the port is taken.
 */
export async function startProxy(nodes: NodeList, port = 0): Promise<RunningProxy> {
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => void forwardRequest(nodes, request, response))
  server.on('upgrade', (request, socket, head) => {
    void forwardUpgrade(nodes, request, socket as Socket, head)
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      nodes.close()
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
