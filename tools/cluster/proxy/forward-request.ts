import type { IncomingMessage, ServerResponse } from 'node:http'
import { request as sendRequest } from 'node:http'
import { keptHeaders, toNodeHeaders } from './forwarded-headers.ts'
import type { NodeList, ProxyNode } from './node-list.ts'

/**
 * Sends a request to the first node that takes the connection, and its answer back, both piece by piece. Nothing is sent
 * before there is a connection, so the next node can have the request; after that it is never sent again.
 */
export async function forwardRequest(
  nodes: NodeList,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  for (const node of nodes.order()) {
    if (await tryNode(node, request, response)) return
    if (response.destroyed) return
    nodes.markDown(node)
  }
  response.writeHead(503, { 'content-type': 'text/plain', 'retry-after': '1' })
  response.end('No node answers.\n')
}

/** False when the node did not take the connection. */
function tryNode(
  { host, port }: ProxyNode,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>()
  const { method, url: path } = request
  // A connection of its own: on one that was used before it would not be known whether the request was sent.
  const upstream = sendRequest({ host, port, method, path, agent: false, headers: toNodeHeaders(request) })
  let isConnected = false
  upstream.on('socket', (socket) => {
    socket.setNoDelay(true)
    socket.once('connect', () => {
      isConnected = true
      resolve(true)
      request.pipe(upstream)
    })
  })
  upstream.on('response', (answer) => {
    response.writeHead(answer.statusCode!, answer.statusMessage, keptHeaders(answer))
    response.flushHeaders()
    answer.pipe(response)
    // An answer that was cut must not look complete.
    answer.on('close', () => {
      if (!answer.complete) response.destroy()
    })
  })
  upstream.on('error', () => {
    if (!isConnected) return resolve(false)
    if (response.headersSent) return void response.destroy()
    response.writeHead(502, { 'content-type': 'text/plain', connection: 'close' })
    response.end('The node was lost before it answered.\n')
  })
  response.on('close', () => {
    if (!response.writableFinished) upstream.destroy()
  })
  return promise
}
