import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Tool } from '@modelcontextprotocol/client'

/** An MCP server over HTTP that says what the test wants. */
export interface PlainServer {
  readonly url: string
  /** The names of the tools that were called. */
  readonly called: string[]
  tools: readonly Tool[]
  instructions: string
  /** What every call answers. */
  answer: string
  stop(): Promise<void>
}

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: { readonly name?: string; readonly protocolVersion?: string }
}

export async function startPlainServer(tools: readonly Tool[] = []): Promise<PlainServer> {
  const http = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') {
      response.writeHead(405).end()
      return
    }
    const asked = JSON.parse(await text(request)) as Request
    if (asked.id === undefined) {
      response.writeHead(202).end()
      return
    }
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id: asked.id, ...reply(asked) }))
  }

  function reply({ method, params }: Request): object {
    switch (method) {
      case 'initialize':
        return {
          result: {
            protocolVersion: params?.protocolVersion ?? '2025-06-18',
            capabilities: { tools: {} },
            serverInfo: { name: 'plain', version: '1' },
            instructions: server.instructions,
          },
        }
      case 'tools/list':
        return { result: { tools: server.tools } }
      case 'tools/call':
        server.called.push(params?.name ?? '')
        return { result: { content: [{ type: 'text', text: server.answer }] } }
      case 'ping':
        return { result: {} }
      default:
        return { error: { code: -32601, message: 'no such method' } }
    }
  }

  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: PlainServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    called: [],
    tools,
    instructions: '',
    answer: 'done',
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}
