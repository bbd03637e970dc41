import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Client, Context } from 'oidc-provider'
import { Provider, errors } from 'oidc-provider'
import { findAccount } from '../accounts.ts'
import { sendJson } from '../http/send.ts'
import { PAGE_HEADERS } from '../web/html.ts'
import { errorPage } from '../web/error-page.ts'
import type { Keys } from './keys.ts'
import type { Registrations } from './registrations.ts'
import { SCOPE_NAMES } from './scopes.ts'

export interface AuthorizationServerOptions {
  readonly issuer: string
  /** The only resource tokens are issued for. */
  readonly resource: string
  readonly keys: Keys
  readonly registrations: Registrations
  readonly accessTokenTtlSeconds: number
  readonly maxClients: number
  /** Called when something fails, never with the content of the request. */
  readonly log: (line: string) => void
}

export interface AuthorizationServer {
  readonly provider: Provider
  /** Serves `/oauth/…` and the discovery documents. */
  handle(request: IncomingMessage, response: ServerResponse): Promise<void>
}

const DAY_S = 24 * 60 * 60
const SESSION_COOKIE = 'notes_session'
const AUTHORIZE = '/oauth/authorize'
const REGISTER = '/oauth/register'

/**
 * The authorisation server: clients register themselves, PKCE always, tokens bound to the one resource, refresh tokens
 * that change with each use and take the whole family down when an old one comes back.
 */
export function createAuthorizationServer(options: AuthorizationServerOptions): AuthorizationServer {
  const provider = new Provider(options.issuer, configure(options))
  provider.on('server_error', (_context, error) => {
    options.log(`authorisation server: ${error instanceof Error ? error.name : 'unknown error'}`)
  })
  // Koa would print the error with its message; only the line above is logged.
  provider.on('error', () => undefined)
  const callback = provider.callback()
  return {
    provider,
    async handle(request, response) {
      const isRegistration = request.method === 'POST' && request.url?.startsWith(REGISTER)
      if (isRegistration && !options.registrations.hasRoomForClient(options.maxClients)) {
        const error_description = 'No more clients can be registered here.'
        sendJson(response, 400, { error: 'invalid_client_metadata', error_description })
        return
      }
      forgetSession(request)
      askForEverything(request, options.issuer)
      await callback(request, response)
    },
  }
}

function configure(options: AuthorizationServerOptions): Record<string, unknown> {
  const { issuer, resource, keys, registrations } = options
  return {
    adapter: (kind: string) => registrations.adapter(kind),
    jwks: { keys: [keys.signing] },
    cookies: {
      names: { session: SESSION_COOKIE, interaction: 'notes_sign_in', resume: 'notes_sign_in_resume' },
      keys: [keys.cookies],
      long: { httpOnly: true, sameSite: 'lax', overwrite: true },
      short: { httpOnly: true, sameSite: 'lax', overwrite: true },
    },
    routes: {
      authorization: AUTHORIZE,
      token: '/oauth/token',
      jwks: '/oauth/jwks',
      registration: REGISTER,
      revocation: '/oauth/revoke',
      end_session: '/oauth/end-session',
    },
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      rpInitiatedLogout: { enabled: false },
      userinfo: { enabled: false },
      registration: {
        enabled: true,
        issueRegistrationAccessToken: false,
        initialAccessToken: false,
      },
      revocation: {
        enabled: true,
        allowedPolicy: (_context: unknown, client: Client, token: { clientId: string }) =>
          client.clientId === token.clientId,
      },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => resource,
        useGrantedResource: () => true,
        getResourceServerInfo: (_context: unknown, indicator: string) => {
          if (indicator !== resource) throw new errors.InvalidTarget()
          return {
            scope: SCOPE_NAMES.join(' '),
            audience: resource,
            accessTokenTTL: options.accessTokenTtlSeconds,
            accessTokenFormat: 'jwt',
            jwt: { sign: { alg: 'ES256' } },
          }
        },
      },
    },
    scopes: ['openid', 'offline_access', ...SCOPE_NAMES],
    // Which notebook it is, for the app to show.
    claims: { openid: ['sub', 'name', 'email'] },
    conformIdTokenClaims: false,
    responseTypes: ['code'],
    pkce: { required: () => true },
    clientAuthMethods: ['none'],
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientBasedCORS: () => false,
    allowOmittingSingleRegisteredRedirectUri: false,
    clockTolerance: 0,
    // Lets the resource see at once that somebody took an authorisation back, before the token expires.
    extraTokenClaims: (_context: unknown, token: { grantId?: string }) => ({ grant: token.grantId ?? '' }),
    issueRefreshToken: (_context: unknown, client: Client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: () => true,
    expiresWithSession: () => false,
    ttl: {
      AccessToken: options.accessTokenTtlSeconds,
      AuthorizationCode: 60,
      Grant: 365 * DAY_S,
      IdToken: 600,
      Interaction: 600,
      RefreshToken: 30 * DAY_S,
      Session: 600,
    },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    findAccount: (_context: unknown, id: string) => {
      const account = findAccount(id)
      if (!account) return undefined
      const { id: sub, name, address: email } = account
      return { accountId: sub, claims: () => ({ sub, name, email }) }
    },
    renderError: (context: Context) => {
      context.set(PAGE_HEADERS)
      context.type = 'html'
      context.body = errorPage({
        title: 'This sign-in cannot go on',
        text: 'The app that sent you here asked in a way Notes does not accept, or too much time has passed. Go back to it and start again.',
        home: issuer,
      })
    },
  }
}

/**
 * Each sign-in stands alone: which notebook is chosen anew every time, so that one app can hold several. The provider's
 * own session would insist on the first choice.
 */
function forgetSession(request: IncomingMessage): void {
  const cookies = request.headers.cookie?.split(/;\s*/u)
  if (!cookies) return
  request.headers.cookie = cookies.filter((cookie) => !cookie.startsWith(SESSION_COOKIE)).join('; ')
}

/** An app that names no scope means all there are; the page says which. */
function askForEverything(request: IncomingMessage, issuer: string): void {
  const url = new URL(request.url ?? '/', issuer)
  if (url.pathname !== AUTHORIZE || url.searchParams.has('scope')) return
  url.searchParams.set('scope', SCOPE_NAMES.join(' '))
  request.url = `${url.pathname}${url.search}`
}
