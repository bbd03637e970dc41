import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:http'
import type { AuthInfo } from '@modelcontextprotocol/server'
import { bearerAuthChallengeResponse, verifyBearerToken } from '@modelcontextprotocol/server'
import type { Account } from './accounts.ts'
import { ACCOUNTS } from './accounts.ts'
import { isMeantForUs } from './http/guards.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { sendJson, sendResponse } from './http/send.ts'
import { accountOf, createMcpEndpoint } from './mcp/mcp-endpoint.ts'
import { createNotesServer } from './mcp/tools.ts'
import type { Notebooks } from './notebook/notebooks.ts'
import { openNotebooks } from './notebook/notebooks.ts'
import type { Page } from './notebook/page.ts'
import { createAuthorizationServer } from './oauth/authorization-server.ts'
import { handleConsent } from './oauth/consent.ts'
import { openKeys } from './oauth/keys.ts'
import { openRegistrations } from './oauth/registrations.ts'
import { SCOPE_NAMES } from './oauth/scopes.ts'
import { createAccessTokenVerifier } from './oauth/verify-access-token.ts'
import { createReaderCookie } from './web/reader-cookie.ts'
import { createWebView } from './web/web-view.ts'

export interface NotesAppOptions {
  /** 0, the default, takes any that is free. */
  readonly port?: number
  /** Keeps pages, registrations and keys there as JSON. Without it everything is forgotten at the end. */
  readonly folder?: string
  /** Times of pages and limits. The authorisation server has its own: the system's. */
  readonly clock?: () => number
  readonly accessTokenTtlSeconds?: number
  /** How long `reindex_notebook` takes. */
  readonly reindexMs?: number
  /** How long the answer of `export_notebook` is. */
  readonly exportBytes?: number
  readonly limits?: Partial<NotesAppLimits>
  /** Called with one line when something fails. Never holds a token or what a person wrote. */
  readonly log?: (line: string) => void
}

export interface NotesAppLimits {
  readonly maxPageBytes: number
  readonly maxPages: number
  readonly maxBodyBytes: number
  readonly maxClients: number
  readonly maxSessions: number
  /** For each account, and once more for everything nobody has signed in for. */
  readonly requestsPerMinute: number
}

export interface NotesApp {
  readonly url: string
  readonly mcpUrl: string
  readonly accounts: readonly Account[]
  /** A look into the notebooks without asking anybody, for tests. */
  readonly pages: {
    list(accountId: string): readonly Page[]
    read(accountId: string, pageId: string): Page | undefined
  }
  /** What a person does under “Connected apps”: every app loses its access to the account at once. */
  disconnectApps(accountId: string): Promise<void>
  /** Ends calls that run, closes every connection and leaves no handle. May be called twice. */
  close(): Promise<void>
}

const LIMITS: NotesAppLimits = {
  maxPageBytes: 200_000,
  maxPages: 1000,
  // A page of the longest kind, with every character written as an escape.
  maxBodyBytes: 1_500_000,
  maxClients: 1000,
  maxSessions: 200,
  requestsPerMinute: 3000,
}
const LOOPBACK = '127.0.0.1'
const RESOURCE_METADATA = '/.well-known/oauth-protected-resource'

/** Starts the app on loopback, and nowhere else. Rejects when the port is taken or the folder cannot be read. */
export async function startNotesApp(options: NotesAppOptions = {}): Promise<NotesApp> {
  const now = options.clock ?? Date.now
  const log = options.log ?? (() => undefined)
  const limits = { ...LIMITS, ...options.limits }
  const [keys, registrations, notebooks] = await Promise.all([
    openKeys(options.folder),
    // The provider reads the system's clock and cannot be given another.
    openRegistrations(options.folder, Date.now),
    openNotebooks({ ...(options.folder === undefined ? {} : { folder: options.folder }), now, limits }),
  ])

  // The port is part of the issuer's name, so the server listens first and answers once everything is built.
  let handle: (request: IncomingMessage, response: ServerResponse) => Promise<void> = async (
    _request,
    response,
  ) => sendJson(response, 503, { error: 'starting' }, { 'retry-after': '1' })
  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log(`request failed: ${error instanceof Error ? error.name : 'unknown error'}`)
      if (!response.headersSent) sendJson(response, 500, { error: 'server_error' })
      else response.destroy()
    })
  })
  server.headersTimeout = 10_000
  server.requestTimeout = 60_000
  const port = await listen(server, options.port ?? 0)

  const url = `http://${LOOPBACK}:${port}`
  const mcpUrl = `${url}/mcp`
  const resourceMetadataUrl = `${url}${RESOURCE_METADATA}/mcp`
  const readerCookie = createReaderCookie(keys.cookies, Date.now)
  const authorization = createAuthorizationServer({
    issuer: url,
    resource: mcpUrl,
    keys,
    registrations,
    accessTokenTtlSeconds: options.accessTokenTtlSeconds ?? 300,
    maxClients: limits.maxClients,
    log,
  })
  const { provider } = authorization
  const attempts = new Map<string, number>()
  const mcp = createMcpEndpoint({
    createServer: (account) =>
      createNotesServer(account, {
        notebooks,
        home: url,
        exportBytes: options.exportBytes ?? 2_000_000,
        reindexMs: options.reindexMs ?? 20_000,
        calendarAttempt: (accountId) => {
          const attempt = (attempts.get(accountId) ?? 0) + 1
          attempts.set(accountId, attempt)
          return attempt
        },
      }),
    now,
    maxBodyBytes: limits.maxBodyBytes,
    maxSessions: limits.maxSessions,
    log,
  })
  const webView = await createWebView({ provider, notebooks, registrations, readerCookie, home: url })
  const verifyAccessToken = createAccessTokenVerifier({
    key: keys.signing,
    issuer: url,
    audience: mcpUrl,
    isGranted: (grantId) => registrations.isGranted(grantId),
  })
  const rateLimit = createRateLimit(limits.requestsPerMinute, now)

  function isWithinRate(who: string, response: ServerResponse): boolean {
    const waitMs = rateLimit(who)
    if (waitMs === undefined) return true
    const retryAfter = String(Math.ceil(waitMs / 1000))
    sendJson(response, 429, { error: 'rate_limited' }, { 'retry-after': retryAfter })
    return false
  }

  /** The checked token, or undefined once the request was answered with what is missing. */
  async function authenticate(
    request: IncomingMessage,
    response: ServerResponse,
    requiredScopes: string[] = [],
  ): Promise<AuthInfo | undefined> {
    try {
      const authInfo = await verifyBearerToken(request.headers.authorization, {
        verifier: { verifyAccessToken },
        expectedResource: new URL(mcpUrl),
        requiredScopes,
        resourceMetadataUrl,
      })
      return isWithinRate(accountOf(authInfo).id, response) ? authInfo : undefined
    } catch (error) {
      const hint = {
        requiredScopes: requiredScopes.length > 0 ? requiredScopes : [...SCOPE_NAMES],
        resourceMetadataUrl,
      }
      await sendResponse(response, bearerAuthChallengeResponse(error, hint))
      return undefined
    }
  }

  handle = async (request, response) => {
    if (!isMeantForUs(request, response, url)) return
    const target = URL.parse(`${url}${request.url ?? '/'}`)
    if (target?.origin !== url) {
      sendJson(response, 400, { error: 'invalid_request' })
      return
    }
    const { pathname, searchParams } = target
    if (pathname === '/mcp') {
      const authInfo = await authenticate(request, response)
      if (authInfo) await mcp.handle(request, response, authInfo)
    } else if (pathname === '/api/changes') {
      const authInfo = await authenticate(request, response, ['pages:read'])
      if (authInfo) sendChanges(response, notebooks, accountOf(authInfo), searchParams)
    } else if (!isWithinRate('nobody', response)) {
      return
    } else if (pathname === RESOURCE_METADATA || pathname === `${RESOURCE_METADATA}/mcp`) {
      sendJson(response, 200, {
        resource: mcpUrl,
        resource_name: 'Notes',
        authorization_servers: [url],
        scopes_supported: SCOPE_NAMES,
        bearer_methods_supported: ['header'],
      })
    } else if (pathname.startsWith('/oauth/') || pathname.startsWith('/.well-known/')) {
      await authorization.handle(request, response)
    } else if (pathname.startsWith('/interaction/')) {
      await handleConsent(request, response, {
        provider,
        notebooks,
        readerCookie,
        resource: mcpUrl,
        home: url,
      })
    } else {
      await webView(request, response)
    }
  }

  let closing: Promise<void> | undefined
  return {
    url,
    mcpUrl,
    accounts: ACCOUNTS,
    pages: notebooks,
    async disconnectApps(accountId) {
      for (const { grantId } of registrations.grantsOf(accountId)) await registrations.revoke(grantId)
    },
    close() {
      closing ??= (async () => {
        await mcp.close()
        const closed = new Promise<void>((resolve) => server.close(() => resolve()))
        server.closeAllConnections()
        await closed
      })()
      return closing
    },
  }
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen({ host: LOOPBACK, port }, () => {
      server.off('error', reject)
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : port)
    })
  })
}

/** What changed since a cursor, for a program that keeps a copy. */
function sendChanges(
  response: ServerResponse,
  notebooks: Notebooks,
  account: Account,
  asked: URLSearchParams,
): void {
  const since = asked.get('since') ?? '0'
  const limit = asked.get('limit') ?? '50'
  if (!/^\d{1,15}$/u.test(since) || !/^\d{1,3}$/u.test(limit) || Number(limit) < 1) {
    sendJson(response, 400, { error: 'invalid_request', error_description: 'since and limit are numbers.' })
    return
  }
  const { changes, cursor, more } = notebooks.changes(account.id, Number(since), Math.min(Number(limit), 100))
  sendJson(response, 200, { account: account.name, changes, cursor: String(cursor), more })
}
