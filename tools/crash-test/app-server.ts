import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { AppFault } from './app-faults.ts'
import { faultOf } from './app-faults.ts'
import { TOOLS } from './scenario.ts'
import type { Effect } from './services.ts'
import { noteEffect, think } from './services.ts'

/** An app behind an MCP server that outlives the processes of a round. Its effects go into the file of the round. */
export interface AppServer {
  readonly url: string
  /** Answers nothing but 503 from now on, or works again. */
  setAway(isAway: boolean): void
  /** Settles when every call was worked off, then stops. */
  stop(): Promise<void>
}

interface Request {
  readonly id?: number | string
  readonly method: string
  readonly params?: {
    readonly name?: string
    readonly protocolVersion?: string
    readonly arguments?: { readonly tag?: string }
    readonly _meta?: Readonly<Record<string, unknown>>
  }
}

const KEY = 'io.capstan/idempotency-key'
const SESSION = 'mcp-session-id'
const INPUT = { type: 'object', properties: { tag: { type: 'string' } }, required: ['tag'] }
const ACTIONS = [
  { name: TOOLS.appRead, description: 'Finds an item.', inputSchema: INPUT },
  { name: TOOLS.appWrite, description: 'Creates an item.', inputSchema: INPUT },
]

export async function startApp(effects: string): Promise<AppServer> {
  const sessions = new Set<string>()
  /** Reads fail once, so that a second try finds out. */
  const failed = new Set<string>()
  const working = new Set<Promise<void>>()
  let isAway = false
  const http = createServer((request, response) => {
    const work = answer(request, response).catch(() => void response.destroy())
    working.add(work)
    void work.finally(() => working.delete(work))
  })

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (isAway) return void response.writeHead(503).end('away')
    if (request.method !== 'POST') return void response.writeHead(405).end()
    const asked = JSON.parse(body) as Request
    const session = request.headers[SESSION]
    if (session !== undefined && !sessions.has(String(session))) return void response.writeHead(404).end()
    if (asked.id === undefined) return void response.writeHead(202).end()
    if (asked.method === 'tools/call') {
      // Every node has an address of its own for the app.
      const node = new URL(request.url ?? '', 'http://app').searchParams.get('node')
      return callTool(asked, String(session), response, node === null ? {} : { node, at: Date.now() })
    }
    if (asked.method === 'initialize') {
      const id = randomUUID()
      sessions.add(id)
      response.setHeader(SESSION, id)
    }
    send(response, asked, describe(asked))
  }

  async function callTool(
    asked: Request,
    session: string,
    response: ServerResponse,
    caller: Pick<Effect, 'node' | 'at'>,
  ): Promise<void> {
    const { name = '', arguments: { tag = '' } = {}, _meta: meta } = asked.params ?? {}
    const isWrite = name === TOOLS.appWrite
    const fault = isWrite || !failed.has(tag) ? faultOf(tag) : undefined
    failed.add(tag)
    await think(tag)
    if (isWrite && (fault?.acts ?? true))
      noteEffect(effects, { tool: name, tag, key: String(meta?.[KEY]), ...caller })
    await think(`${tag} done`)
    if (fault) return fail(fault, session, asked, response)
    send(response, asked, { result: { content: [{ type: 'text', text: `${name} ${tag} is done` }] } })
  }

  function fail({ kind }: AppFault, session: string, asked: Request, response: ServerResponse): void {
    switch (kind) {
      case 'broken':
        return void response.writeHead(200, JSON_TYPE).end('{"jsonrpc":"2.0","id":')
      case 'page':
        return void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Maintenance</h1>')
      case 'internal':
        return send(response, asked, { error: { code: -32603, message: 'Internal error' } })
      case 'lost':
        sessions.delete(session)
        return void response.writeHead(404).end()
      case 'drops':
        return void response.destroy()
      case 'hangs':
        return
      case '502':
      case '503':
      case '504':
        response.writeHead(Number(kind)).end('upstream')
    }
  }

  http.listen(0, '127.0.0.1')
  await once(http, 'listening')
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    setAway: (value) => void (isAway = value),
    async stop() {
      while (working.size > 0) await Promise.all(working)
      http.closeAllConnections()
      http.close()
    },
  }
}

const JSON_TYPE = { 'content-type': 'application/json' }

function send(response: ServerResponse, { id }: Request, answer: object): void {
  response.writeHead(200, JSON_TYPE).end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
}

function describe({ method, params }: Request): object {
  if (method === 'tools/list') return { result: { tools: ACTIONS } }
  if (method === 'ping') return { result: {} }
  if (method !== 'initialize') return { error: { code: -32601, message: 'no such method' } }
  const protocolVersion = params?.protocolVersion ?? '2025-06-18'
  const serverInfo = { name: 'stock', version: '1' }
  return { result: { protocolVersion, capabilities: { tools: {} }, serverInfo } }
}
