import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { toNodeHandler } from '@modelcontextprotocol/node'
import type { AuthInfo, McpHandlerRequestOptions, McpServer } from '@modelcontextprotocol/server'
import {
  WebStandardStreamableHTTPServerTransport,
  createMcpHandler,
  isLegacyRequest,
} from '@modelcontextprotocol/server'
import type { Account } from '../accounts.ts'
import { findAccount } from '../accounts.ts'

export interface McpEndpoint {
  /** Serves one request of an app whose token was checked. */
  handle(request: IncomingMessage, response: ServerResponse, authInfo: AuthInfo): Promise<void>
  /** Ends every session, and with it every call that runs. */
  close(): Promise<void>
}

export interface McpEndpointOptions {
  readonly createServer: (account: Account) => McpServer
  readonly now: () => number
  readonly maxBodyBytes: number
  readonly maxSessions: number
  readonly log: (line: string) => void
}

interface Session {
  readonly transport: WebStandardStreamableHTTPServerTransport
  readonly grantId: string
  usedAt: number
}

const SESSION_IDLE_MS = 30 * 60 * 1000

/**
 * Speaks both eras of the protocol. Newer clients say everything with each request; older ones open a session, which
 * belongs to the authorisation it was opened under: to anybody else it does not exist.
 */
export function createMcpEndpoint(options: McpEndpointOptions): McpEndpoint {
  const sessions = new Map<string, Session>()
  const onerror = (error: Error): void => options.log(`mcp: ${error.name}`)
  const modern = createMcpHandler((context) => options.createServer(accountOf(context.authInfo)), {
    legacy: 'reject',
    maxRequestBodySize: options.maxBodyBytes,
    onerror,
  })

  function sweep(): void {
    const before = options.now() - SESSION_IDLE_MS
    const oldestFirst = [...sessions].toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    const tooMany = sessions.size - options.maxSessions + 1
    oldestFirst.forEach(([id, session], index) => {
      if (index >= tooMany && session.usedAt >= before) return
      sessions.delete(id)
      session.transport.close().catch(onerror)
    })
  }

  async function openSession(authInfo: AuthInfo): Promise<WebStandardStreamableHTTPServerTransport> {
    sweep()
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        sessions.set(id, { transport, grantId: grantOf(authInfo), usedAt: options.now() })
      },
      onsessionclosed: (id) => {
        sessions.delete(id)
      },
      maxRequestBodySize: options.maxBodyBytes,
    })
    await options.createServer(accountOf(authInfo)).connect(transport)
    return transport
  }

  async function serveSession(request: Request, authInfo: AuthInfo): Promise<Response> {
    const id = request.headers.get('mcp-session-id')
    if (id === null) return (await openSession(authInfo)).handleRequest(request, { authInfo })
    const session = sessions.get(id)
    if (session?.grantId !== grantOf(authInfo)) {
      const error = { code: -32001, message: 'Session not found' }
      return Response.json({ jsonrpc: '2.0', error, id: null }, { status: 404 })
    }
    session.usedAt = options.now()
    return session.transport.handleRequest(request, { authInfo })
  }

  async function serve(request: Request, { authInfo }: McpHandlerRequestOptions = {}): Promise<Response> {
    if (!authInfo) return new Response(undefined, { status: 401 })
    const isLegacy = await isLegacyRequest(request, undefined, { maxRequestBodySize: options.maxBodyBytes })
    return isLegacy ? serveSession(request, authInfo) : modern.fetch(request, { authInfo })
  }

  const handle = toNodeHandler({ fetch: serve }, { maxRequestBodySize: options.maxBodyBytes, onerror })

  return {
    handle: (request, response, authInfo) => handle(Object.assign(request, { auth: authInfo }), response),
    async close() {
      const open = [...sessions.values()]
      sessions.clear()
      await Promise.all([modern.close(), ...open.map(({ transport }) => transport.close())])
    },
  }
}

/** Whose notebook a checked token opens. */
export function accountOf(authInfo: AuthInfo | undefined): Account {
  const id: unknown = authInfo?.extra?.['accountId']
  const account = findAccount(typeof id === 'string' ? id : undefined)
  if (!account) throw new Error('a token for no account')
  return account
}

function grantOf(authInfo: AuthInfo): string {
  return String(authInfo.extra?.['grantId'])
}
