import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'

/** An MCP server over HTTP whose resources can be watched. */
export interface ShelfServer {
  readonly url: string
  /** Texts by address. */
  readonly books: Map<string, string>
  /** Addresses that a client asked to be told of. Older revision only. */
  readonly subscribed: string[]
  /** Addresses that were read. */
  readonly read: string[]
  /** Says that a resource has changed, whether it has or not. */
  tellUpdated(uri: string): Promise<void>
  tellListChanged(): Promise<void>
  /** Ends all sessions, as a restart does. */
  endSessions(): Promise<void>
  stop(): Promise<void>
}

export interface ShelfOptions {
  readonly era?: 'legacy' | 'modern'
  /** Says that it tells of changes. Default true. */
  readonly tells?: boolean
}

export async function startShelfServer({
  era = 'legacy',
  tells = true,
}: ShelfOptions = {}): Promise<ShelfServer> {
  const live = new Set<McpServer>()
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()

  function createShelf(): McpServer {
    const resources = { subscribe: tells, listChanged: tells }
    const mcp = new McpServer({ name: 'shelf', version: '1' }, { capabilities: { resources, tools: {} } })
    const { server } = mcp
    server.setRequestHandler('tools/list', () => ({ tools: [] }))
    server.setRequestHandler('resources/list', () => ({
      resources: [...shelf.books.keys()].map((uri) => ({ uri, name: `Book ${uri}`, mimeType: 'text/plain' })),
    }))
    server.setRequestHandler('resources/read', ({ params: { uri } }) => {
      shelf.read.push(uri)
      const text = shelf.books.get(uri)
      if (text === undefined) throw new Error('gone')
      return { contents: [{ uri, text }] }
    })
    if (era === 'legacy' && tells)
      server.setRequestHandler('resources/subscribe', ({ params: { uri } }) => {
        shelf.subscribed.push(uri)
        return {}
      })
    return mcp
  }

  const modern = era === 'modern' ? createMcpHandler(createShelf, { legacy: 'reject' }) : undefined

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (modern) return toNodeHandler(modern)(request, response)
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.get(id)
      if (session) return session.handleRequest(request, response)
      return void response.writeHead(404).end()
    }
    const mcp = createShelf()
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        sessions.set(session, transport)
        live.add(mcp)
      },
      onsessionclosed: (session) => {
        sessions.delete(session)
        live.delete(mcp)
      },
    })
    await mcp.connect(transport)
    await transport.handleRequest(request, response)
  }

  const http = createServer((request, response) => {
    serve(request, response).catch(() => response.destroy())
  })
  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const shelf: ShelfServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    books: new Map(),
    subscribed: [],
    read: [],
    async tellUpdated(uri) {
      modern?.notify.resourceUpdated(uri)
      for (const { server } of live) await server.sendResourceUpdated({ uri })
    },
    async tellListChanged() {
      modern?.notify.resourcesChanged()
      for (const { server } of live) await server.sendResourceListChanged()
    },
    async endSessions() {
      sessions.clear()
      live.clear()
      http.closeAllConnections()
    },
    async stop() {
      await modern?.close()
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return shelf
}
