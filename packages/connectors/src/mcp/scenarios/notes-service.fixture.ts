import { generateKeyPairSync, randomBytes, randomUUID } from 'node:crypto'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node'
import type { RegisteredTool } from '@modelcontextprotocol/server'
import {
  McpServer,
  UrlElicitationRequiredError,
  createMcpHandler,
  inputRequired,
} from '@modelcontextprotocol/server'
import { Provider } from 'oidc-provider'
import { z } from 'zod'
import { createMemoryAdapters } from './memory-adapter.fixture.ts'

type Answer = 'allow' | 'deny'
type Intercept = (request: IncomingMessage, response: ServerResponse) => boolean

export interface NotesServiceOptions {
  /** Which revision of the protocol it speaks. Default `legacy`. */
  readonly era?: 'legacy' | 'modern'
  /** Default: nobody has to sign in. */
  readonly isGuarded?: boolean
  /** Greets anybody, and asks who it is afterwards. */
  readonly greetsAnybody?: boolean
  readonly tokenLifeSeconds?: number
  readonly ttlMs?: number
}

/** A real MCP server on loopback, and where asked for a real authorisation server in front of it. */
export interface NotesService {
  readonly url: string
  readonly issuer: string
  /** Requests by path, such as `POST /token`. */
  readonly seen: readonly string[]
  /** How often a token was renewed. */
  refreshes(): number
  /** What somebody does who is sent to `url`: the parameters the browser comes back with. */
  visit(url: string, answer: Answer): Promise<URLSearchParams>
  /** Ends access tokens, one or all, without a word. */
  expire(token?: string): Promise<void>
  /** Takes the authorisation of this refresh token back. */
  revoke(refreshToken: string): Promise<void>
  /** Adds a tool while it runs, and says so unless it is done quietly. */
  addTool(name: string, isQuiet?: boolean): void
  removeTool(name: string): void
  /** What the tools and the server say of themselves. */
  describe(text: string): void
  /** Sees every request first; true when it has answered. */
  intercept(handler: Intercept | undefined): void
  /** Requests that are not answered to the end. */
  openRequests(): number
  stop(): Promise<void>
}

interface Notes {
  readonly server: McpServer
  readonly tools: Map<string, RegisteredTool>
}

interface StoredToken {
  readonly isExpired: boolean
  destroy(): Promise<void>
  readonly grantId: string
}

interface TokenKind {
  find(token: string): Promise<StoredToken | undefined>
  revokeByGrantId(grantId: string): Promise<void>
}

export async function startNotesService({
  era = 'legacy',
  isGuarded = false,
  greetsAnybody = false,
  tokenLifeSeconds = 3_600,
  ttlMs,
}: NotesServiceOptions = {}): Promise<NotesService> {
  const seen: string[] = []
  const extra = new Set<string>()
  const live = new Set<Notes>()
  const sessions = new Map<string, NodeStreamableHTTPServerTransport>()
  let about = 'Lists the notes.'
  let intercept: Intercept | undefined
  let openRequests = 0
  let refreshes = 0
  const issued = new Set<string>()

  const http: Server = createServer((request, response) => {
    openRequests += 1
    response.once('close', () => void (openRequests -= 1))
    seen.push(`${request.method} ${new URL(request.url ?? '/', 'http://x').pathname}`)
    if (intercept?.(request, response)) return
    serve(request, response).catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
  const resource = `${origin}/mcp`
  const provider = new Provider(origin, configure(resource, tokenLifeSeconds))
  const callback = provider.callback()
  const accessTokens = (provider as unknown as { AccessToken: TokenKind }).AccessToken
  const refreshTokens = (provider as unknown as { RefreshToken: TokenKind }).RefreshToken
  provider.on('grant.success', (context) => {
    const { oidc, body } = context as {
      oidc: { params?: Record<string, unknown> }
      body: Record<string, string>
    }
    if (oidc.params?.['grant_type'] === 'refresh_token') refreshes += 1
    if (body['access_token'] !== undefined) issued.add(body['access_token'])
  })

  const modern =
    era === 'modern' ? createMcpHandler(() => createNotes().server, { legacy: 'reject' }) : undefined

  function createNotes(): Notes {
    const tools = new Map<string, RegisteredTool>()
    const server = new McpServer(
      { name: 'notes', version: '1.0.0' },
      {
        instructions: about,
        capabilities: { tools: { listChanged: true } },
        ...(ttlMs === undefined ? undefined : { cacheHints: { 'tools/list': { ttlMs } } }),
      },
    )
    const list = server.registerTool(
      'list_notes',
      { description: about, annotations: { readOnlyHint: true }, inputSchema: z.object({}) },
      () => ({ content: [{ type: 'text', text: `1. buy milk\n${about}` }] }),
    )
    server.registerTool(
      'add_note',
      { description: 'Adds a note.', inputSchema: z.object({ text: z.string() }) },
      ({ text }, context) => ({
        content: [
          { type: 'text', text: `kept: ${text}` },
          { type: 'text', text: JSON.stringify(context.mcpReq) },
        ],
      }),
    )
    server.registerTool(
      'wait',
      { description: 'Does not answer.', annotations: { readOnlyHint: true }, inputSchema: z.object({}) },
      (_, { mcpReq }) =>
        new Promise((_resolve, reject) => {
          mcpReq.signal.addEventListener('abort', () => reject(new Error('stopped')), { once: true })
        }),
    )
    server.registerTool(
      'whoami',
      { description: 'Repeats how it was called.', inputSchema: z.object({}) },
      (_, context) => ({
        content: [{ type: 'text', text: `you sent ${context.http?.req?.headers.get('authorization')}` }],
      }),
    )
    server.registerTool(
      'visit_page',
      { description: 'Sends people away.', inputSchema: z.object({}) },
      async (_, { mcpReq }) => {
        const page = { message: 'Confirm the\u202e payment', url: 'https://pay.example/confirm?id=7' }
        if (era === 'modern') {
          if (mcpReq.inputResponses === undefined)
            return inputRequired({ inputRequests: { pay: inputRequired.elicitUrl(page) } })
          return { isError: true, content: [{ type: 'text', text: 'not confirmed' }] }
        }
        const { action } = await mcpReq.elicitInput({ mode: 'url', elicitationId: 'e1', ...page })
        return { isError: true, content: [{ type: 'text', text: `not confirmed: ${action}` }] }
      },
    )
    server.registerTool('pay_first', { description: 'Wants money first.', inputSchema: z.object({}) }, () => {
      throw new UrlElicitationRequiredError([
        { mode: 'url', elicitationId: 'e2', message: 'Pay', url: 'https://pay.example/first' },
      ])
    })
    tools.set('list_notes', list)
    for (const name of extra) register({ server, tools }, name)
    return { server, tools }
  }

  function register({ server, tools }: Notes, name: string): void {
    const tool = server.registerTool(name, { description: 'Came later.', inputSchema: z.object({}) }, () => ({
      content: [{ type: 'text', text: `this is ${name}` }],
    }))
    tools.set(name, tool)
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? '/', origin)
    if (pathname === '/.well-known/oauth-protected-resource/mcp' && isGuarded) {
      response.setHeader('content-type', 'application/json')
      response.end(
        JSON.stringify({
          resource,
          authorization_servers: [origin],
          scopes_supported: ['notes:read', 'notes:write'],
        }),
      )
    } else if (pathname.startsWith('/interaction/')) await interact(request, response)
    else if (pathname === '/mcp') await serveMcp(request, response)
    else await callback(request, response)
  }

  async function serveMcp(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1]
    const isGreeting = greetsAnybody && request.headers['mcp-session-id'] === undefined
    if (isGuarded && !isGreeting && !(token !== undefined && (await accessTokens.find(token)))) {
      response.writeHead(401, {
        'www-authenticate': `Bearer resource_metadata="${origin}/.well-known/oauth-protected-resource/mcp"`,
      })
      response.end()
      return
    }
    if (modern) return toNodeHandler(modern)(request, response)
    const id = request.headers['mcp-session-id']
    if (typeof id === 'string') {
      const session = sessions.get(id)
      if (session) return session.handleRequest(request, response)
      response.writeHead(404, { 'content-type': 'application/json' })
      response.end(
        JSON.stringify({ jsonrpc: '2.0', error: { code: -32_001, message: 'Session not found' }, id: null }),
      )
      return
    }
    const notes = createNotes()
    const transport: NodeStreamableHTTPServerTransport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (session) => {
        sessions.set(session, transport)
        live.add(notes)
      },
      onsessionclosed: (session) => {
        sessions.delete(session)
        live.delete(notes)
      },
    })
    await notes.server.connect(transport)
    await transport.handleRequest(request, response)
  }

  async function interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { params } = await provider.interactionDetails(request, response)
    const isDenied = request.url?.includes('answer=deny') === true
    const result = isDenied
      ? { error: 'access_denied', error_description: 'no, thank you' }
      : await allow(params)
    response.writeHead(303, { location: await provider.interactionResult(request, response, result) })
    response.end()
  }

  async function allow(params: Readonly<Record<string, unknown>>): Promise<Record<string, unknown>> {
    const grant = new provider.Grant({ accountId: 'ada', clientId: String(params['client_id']) })
    grant.addOIDCScope('openid offline_access notes:read notes:write')
    grant.addResourceScope(resource, 'notes:read notes:write')
    return { login: { accountId: 'ada' }, consent: { grantId: await grant.save() } }
  }

  return {
    url: resource,
    issuer: origin,
    seen,
    refreshes: () => refreshes,
    visit: (url, answer) => visit(url, answer, origin),
    async expire(token) {
      const ended = token === undefined ? [...issued] : [token]
      await Promise.all(ended.map(async (each) => (await accessTokens.find(each))?.destroy()))
    },
    async revoke(refreshToken) {
      const found = await refreshTokens.find(refreshToken)
      if (!found) throw new Error('no such token')
      await Promise.all([
        accessTokens.revokeByGrantId(found.grantId),
        refreshTokens.revokeByGrantId(found.grantId),
      ])
    },
    addTool(name, isQuiet = false) {
      extra.add(name)
      if (isQuiet) return
      for (const notes of live) register(notes, name)
      modern?.notify.toolsChanged()
    },
    removeTool(name) {
      extra.delete(name)
      for (const { tools } of live) tools.get(name)?.disable()
      modern?.notify.toolsChanged()
    },
    describe(text) {
      about = text
      for (const { tools } of live) tools.get('list_notes')?.update({ description: text })
      modern?.notify.toolsChanged()
    },
    intercept(handler) {
      intercept = handler
    },
    openRequests: () => openRequests,
    async stop() {
      await Promise.all([...sessions.values()].map((session) => session.close()))
      await modern?.close()
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

const SIGNING_KEY = {
  ...generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({ format: 'jwk' }),
  use: 'sig',
}

function configure(resource: string, tokenLifeSeconds: number): Record<string, unknown> {
  return {
    adapter: createMemoryAdapters(),
    jwks: { keys: [SIGNING_KEY] },
    cookies: { keys: [randomBytes(16).toString('hex')] },
    features: {
      devInteractions: { enabled: false },
      registration: { enabled: true },
      revocation: { enabled: true, allowedPolicy: () => true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: 'notes:read notes:write',
          audience: resource,
          accessTokenTTL: tokenLifeSeconds,
          accessTokenFormat: 'opaque',
        }),
      },
    },
    scopes: ['openid', 'offline_access', 'notes:read', 'notes:write'],
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    issueRefreshToken: () => true,
    rotateRefreshToken: () => true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: 3_600,
      AuthorizationCode: 60,
      Grant: 3_600,
      Interaction: 600,
      RefreshToken: 3_600,
      Session: 600,
    },
    interactions: { url: (_: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@notes.example` }),
    }),
    claims: { openid: ['sub', 'email'] },
    conformIdTokenClaims: false,
  }
}

/** A browser: it follows, keeps cookies, and stops where the service sends it back to the program. */
async function visit(start: string, answer: Answer, origin: string): Promise<URLSearchParams> {
  const cookies = new Map<string, string>()
  let url = new URL(start)
  for (let hops = 0; hops < 12; hops++) {
    if (url.origin !== origin) return url.searchParams
    if (url.pathname.startsWith('/interaction/')) url.searchParams.set('answer', answer)
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(url, { redirect: 'manual', headers: { cookie } })
    for (const set of response.headers.getSetCookie()) {
      const [name, value] = set.split(';')[0]!.split('=') as [string, string]
      cookies.set(name, value)
    }
    const location = response.headers.get('location')
    if (location === null)
      throw new Error(`stuck at ${url.pathname}: ${response.status} ${await response.text()}`)
    url = new URL(location, url)
  }
  throw new Error('sent round and round')
}
