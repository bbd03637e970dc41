import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text as readText } from 'node:stream/consumers'

type Json = Record<string, unknown>

/** A document of the library. `uri` is its id as a resource and in the list. */
export interface LibraryDocument {
  readonly uri: string
  readonly name: string
  readonly text: string
  /** An ISO time. */
  readonly changedAt?: string
  readonly more?: Json
}

/** An MCP server over HTTP whose documents are resources, and also behind a list and a read action. */
export interface LibraryServer {
  readonly url: string
  /** What was asked, such as `resources/read file:///a`. */
  readonly asked: string[]
  documents: readonly LibraryDocument[]
  /** Answers some requests instead, by their method. */
  readonly instead: Map<string, (params: Json) => unknown>
  state: 'answers' | 'hangs' | 'fails'
  hasResources: boolean
  stop(): Promise<void>
}

const PAGE = 2
const TOOLS = [
  {
    name: 'list_documents',
    inputSchema: { type: 'object', properties: { page: { type: 'integer' }, query: { type: 'string' } } },
  },
  { name: 'read_document', inputSchema: { type: 'object', properties: { uri: { type: 'string' } } } },
  { name: 'delete_document', inputSchema: { type: 'object', properties: { uri: { type: 'string' } } } },
]

export async function startLibraryServer(documents: readonly LibraryDocument[]): Promise<LibraryServer> {
  const http = createServer((request, response) => void answer(request, response))

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const asked = JSON.parse(await readText(request)) as Json
    const { id, method, params = {} } = asked as { id?: unknown; method: string; params?: Json }
    if (id === undefined) return void response.writeHead(202).end()
    const isWork = /^tools\/call|^resources/.test(method)
    if (isWork)
      server.asked.push(
        `${method} ${(params['name'] ?? params['uri'] ?? params['cursor'] ?? '') as string}`.trim(),
      )
    if (isWork && server.state === 'hangs') return
    if (isWork && server.state === 'fails') return void response.writeHead(500).end('broken')
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ jsonrpc: '2.0', id, ...reply(method, params) }))
  }

  function reply(method: string, params: Json): object {
    const instead = server.instead.get(method)
    if (instead) return { result: instead(params) }
    switch (method) {
      case 'initialize':
        return { result: greet(params) }
      case 'tools/list':
        return { result: { tools: TOOLS } }
      case 'tools/call':
        return call(String(params['name']), params['arguments'] as Json)
      case 'resources/list':
        return { result: listResources(params['cursor'] as string | undefined) }
      case 'resources/read':
        return readResource(String(params['uri']))
      default:
        return { error: { code: -32_601, message: 'no such method' } }
    }
  }

  const greet = (params: Json) => ({
    protocolVersion: params['protocolVersion'] ?? '2025-06-18',
    capabilities: { tools: {}, ...(server.hasResources && { resources: {} }) },
    serverInfo: { name: 'library', version: '1' },
  })

  function listResources(cursor: string | undefined): Json {
    const from = Number(cursor ?? 0)
    const shown = server.documents.slice(from, from + PAGE)
    return {
      resources: shown.map(({ uri, name, changedAt, more }) => ({
        uri,
        name,
        mimeType: 'text/plain',
        ...(changedAt && { annotations: { lastModified: changedAt } }),
        ...more,
      })),
      ...(from + PAGE < server.documents.length && { nextCursor: String(from + PAGE) }),
    }
  }

  function readResource(wanted: string): object {
    const found = server.documents.find(({ uri }) => uri === wanted)
    if (!found) return { error: { code: -32_002, message: 'Resource not found' } }
    return { result: { contents: [{ uri: wanted, mimeType: 'text/plain', text: found.text }] } }
  }

  function call(name: string, args: Json): object {
    const data = name === 'list_documents' ? listDocuments(args) : readDocument(String(args['uri']))
    if (!data)
      return { result: { isError: true, content: [{ type: 'text', text: 'There is no such document.' }] } }
    return { result: { content: [{ type: 'text', text: JSON.stringify(data) }] } }
  }

  /** Its pages have numbers. */
  function listDocuments({ page = 0 }: Json): Json {
    if (typeof page !== 'number') throw new TypeError('page is a number')
    const from = page * PAGE
    return {
      found: {
        documents: server.documents.slice(from, from + PAGE).map(({ uri, name, changedAt, more, text }) => ({
          uri,
          name,
          app: 'gmail',
          version: changedAt ?? text.slice(-30),
          ...more,
        })),
      },
      ...(from + PAGE < server.documents.length && { nextPage: page + 1 }),
    }
  }

  function readDocument(wanted: string): Json | undefined {
    const found = server.documents.find(({ uri }) => uri === wanted)
    if (!found) return undefined
    const { uri, name, text, changedAt, more } = found
    return { uri, name, text, version: changedAt ?? text.slice(-30), ...more }
  }

  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  const server: LibraryServer = {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    asked: [],
    documents,
    instead: new Map(),
    state: 'answers',
    hasResources: true,
    async stop() {
      http.closeAllConnections()
      http.close()
      await once(http, 'close')
    },
  }
  return server
}
