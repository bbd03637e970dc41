import type { Clock, ConnectionState, SignIn, SignInCallback } from '@capstan/harness'
import type { FetchLike, OAuthClientInformationMixed, OAuthServerInfo } from '@modelcontextprotocol/client'
import {
  IssuerMismatchError,
  OAuthError,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthServerInfo,
  exchangeAuthorization,
  registerClient,
  resolveClientMetadata,
  resourceUrlFromServerUrl,
  startAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import { accountLabel } from './account-label.ts'
import { checkUrl, createGuardedFetch } from '../transports/guarded-fetch.ts'
import type { Challenge } from '../errors.ts'
import type { SecretDesk, StoredSignIn } from './secret-cache.ts'
import { toStoredTokens } from './secret-cache.ts'
import type { McpServerConfig } from '../servers/server-config.ts'
import { explainSignInError } from './explain-sign-in-error.ts'

/** Signing in at the service behind a server, by the discovery the specification asks for. */
export interface SignInDesk {
  /** Where the person has to go. Rejects with what the service or the network did. */
  begin(connectionId: string, server: McpServerConfig, signIn: SignIn, challenge: Challenge): Promise<string>
  /** Exchanges what came back for tokens. Never throws for what a service does. */
  finish(
    connectionId: string,
    server: McpServerConfig,
    callback: SignInCallback,
  ): Promise<Pick<ConnectionState, 'reason' | 'label'> & { readonly ok: boolean }>
  /** Gives the tokens back where the service allows it. Never throws. */
  revoke(stored: StoredSignIn, server: McpServerConfig): Promise<void>
}

export interface SignInDeskOptions {
  readonly desk: SecretDesk
  readonly clock: Clock
  readonly clientName: string
  /** Where a document about this client lies, for services that accept one in place of a registration. */
  readonly clientMetadataUrl: string | undefined
}

export function createSignInDesk({
  desk,
  clock,
  clientName,
  clientMetadataUrl,
}: SignInDeskOptions): SignInDesk {
  async function begin(
    connectionId: string,
    server: McpServerConfig,
    { state, redirectUri }: SignIn,
    challenge: Challenge,
  ): Promise<string> {
    const serverUrl = urlOf(server)
    const fetchFn = createGuardedFetch({ serverUrl })
    const found = await discover(serverUrl, fetchFn, challenge)
    const resource = toResource(serverUrl, found)
    const before = ofServer(serverUrl, await desk.read(connectionId))
    const scope = toScope(found, computeScopeUnion(challenge.scope, before?.wantedScope))
    const client = await toClient(server, found, { before, redirectUri, scope, fetchFn })
    const { authorizationUrl, codeVerifier } = await startAuthorization(found.authorizationServerUrl, {
      ...(found.authorizationServerMetadata ? { metadata: found.authorizationServerMetadata } : undefined),
      clientInformation: client,
      redirectUrl: redirectUri,
      state,
      ...(scope === undefined ? undefined : { scope }),
      ...(resource === undefined ? undefined : { resource }),
    })
    checkUrl(authorizationUrl, serverUrl) // it is opened in somebody's browser
    await desk.update(connectionId, (stored) => ({
      ...keptOf(ofServer(serverUrl, stored)),
      kind: 'mcp-oauth',
      serverUrl: serverUrl.href,
      authorizationServerUrl: found.authorizationServerUrl,
      ...(found.authorizationServerMetadata ? { metadata: found.authorizationServerMetadata } : undefined),
      client,
      redirectUri,
      verifier: codeVerifier,
      ...(scope === undefined ? undefined : { scope }),
      ...(resource === undefined ? undefined : { resource }),
    }))
    return authorizationUrl.href
  }

  async function toClient(
    server: McpServerConfig,
    { authorizationServerUrl, authorizationServerMetadata: metadata }: OAuthServerInfo,
    { before, redirectUri, scope, fetchFn }: ClientNeeds,
  ): Promise<OAuthClientInformationMixed> {
    if (server.client) {
      const { id, secret } = server.client
      return { client_id: id, ...(secret === undefined ? undefined : { client_secret: secret }) }
    }
    if (metadata?.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
      return { client_id: clientMetadataUrl }
    }
    // An identifier means nothing to another service, and a service knows where it may send people.
    const isSame =
      before?.redirectUri === redirectUri && before.authorizationServerUrl === authorizationServerUrl
    if (isSame && !isExpired(before.client)) return before.client
    return registerClient(authorizationServerUrl, {
      ...(metadata ? { metadata } : undefined),
      clientMetadata: resolveClientMetadata({
        redirectUrl: redirectUri,
        clientMetadata: {
          client_name: clientName,
          redirect_uris: [redirectUri],
          grant_types: ['authorization_code', 'refresh_token'],
          response_types: ['code'],
          token_endpoint_auth_method: toAuthMethod(metadata?.token_endpoint_auth_methods_supported),
        },
      }),
      ...(scope === undefined ? undefined : { scope }),
      fetchFn,
    })
  }

  const isExpired = (client: OAuthClientInformationMixed): boolean => {
    const at = (client as { client_secret_expires_at?: number }).client_secret_expires_at
    return at !== undefined && at !== 0 && at * 1000 <= clock.now()
  }

  async function finish(
    connectionId: string,
    server: McpServerConfig,
    { params, redirectUri }: SignInCallback,
  ): ReturnType<SignInDesk['finish']> {
    const stored = await desk.read(connectionId)
    if (!stored || stored.verifier === undefined || stored.redirectUri !== redirectUri) {
      return { ok: false, reason: 'No sign-in was begun here, or it is over. Start again.' }
    }
    const { verifier } = stored
    // A verifier is good for one attempt.
    await desk.update(connectionId, (now) => now && withoutVerifier(now))
    try {
      const tokens = await exchangeAuthorization(stored.authorizationServerUrl, {
        ...(stored.metadata ? { metadata: stored.metadata } : undefined),
        clientInformation: stored.client,
        authorizationCode: codeFrom(params, stored),
        ...(params.has('iss') ? { iss: params.get('iss')! } : undefined),
        codeVerifier: verifier,
        redirectUri,
        ...(stored.resource === undefined ? undefined : { resource: stored.resource }),
        fetchFn: createGuardedFetch({ serverUrl: urlOf(server) }),
      })
      desk.remember(connectionId, tokens.id_token)
      const missing = missingScopes(stored.scope, tokens.scope)
      if (missing.length > 0) {
        desk.remember(connectionId, tokens.access_token, tokens.refresh_token)
        const taken = toStoredTokens(tokens, clock.now())
        await revoke({ ...stored, tokens: taken }, server)
        return { ok: false, reason: explainSignInError(new OAuthError('insufficient_scope', 'fewer scopes')) }
      }
      await desk.update(connectionId, (now) => {
        const { wantedScope: _, ...rest } = withoutVerifier(now ?? stored)
        return { ...rest, tokens: toStoredTokens(tokens, clock.now()) }
      })
      const { client, metadata } = stored
      const label = accountLabel(tokens.id_token, { issuer: metadata?.issuer, clientId: client.client_id })
      return { ok: true, ...(label === undefined ? undefined : { label }) }
    } catch (error) {
      return { ok: false, reason: explainSignInError(error) }
    }
  }

  async function revoke(stored: StoredSignIn, server: McpServerConfig): Promise<void> {
    const endpoint = (stored.metadata as { revocation_endpoint?: unknown } | undefined)?.revocation_endpoint
    const { tokens, client } = stored
    if (typeof endpoint !== 'string' || !tokens) return
    const fetchFn = createGuardedFetch({ serverUrl: urlOf(server), timeoutMs: 5_000 })
    // The refresh token first: with it the whole grant goes.
    const all = [
      ...(tokens.refresh === undefined ? [] : [{ token: tokens.refresh, hint: 'refresh_token' }]),
      { token: tokens.access, hint: 'access_token' },
    ]
    for (const { token, hint } of all) {
      const body = new URLSearchParams({ token, token_type_hint: hint, client_id: client.client_id })
      if (client.client_secret !== undefined) body.set('client_secret', client.client_secret)
      try {
        const headers = { 'content-type': 'application/x-www-form-urlencoded' }
        await fetchFn(endpoint, { method: 'POST', headers, body })
      } catch {
        return // the service is not there; our copy is gone in any case
      }
    }
  }

  return { begin, finish, revoke }
}

/** Where to sign in, by what the server and the service say of themselves. */
async function discover(
  serverUrl: URL,
  fetchFn: FetchLike,
  { resourceMetadataUrl }: Challenge,
): Promise<OAuthServerInfo> {
  const options = { fetchFn, ...(resourceMetadataUrl ? { resourceMetadataUrl } : undefined) }
  try {
    return await discoverOAuthServerInfo(serverUrl, options)
  } catch (error) {
    // Servers of the first revision are their own sign-in service, and some give it a name with a path.
    if (!(error instanceof IssuerMismatchError) || originOf(error.received) !== serverUrl.origin) throw error
    const found = await discoverOAuthServerInfo(serverUrl, { ...options, skipIssuerMetadataValidation: true })
    const isOwn =
      !found.resourceMetadata && originOf(found.authorizationServerMetadata?.issuer) === serverUrl.origin
    if (!isOwn) throw error
    return found
  }
}

const originOf = (url: string | undefined): string | undefined =>
  url !== undefined && URL.canParse(url) ? new URL(url).origin : undefined

interface ClientNeeds {
  readonly before: StoredSignIn | undefined
  readonly redirectUri: string
  readonly scope: string | undefined
  readonly fetchFn: FetchLike
}

const urlOf = ({ transport }: McpServerConfig): URL => {
  if (transport.type !== 'http') throw new TypeError('a program has no sign-in')
  return new URL(transport.url)
}

/** What was stored, if it was for this server. */
export const ofServer = (serverUrl: URL, stored: StoredSignIn | undefined): StoredSignIn | undefined =>
  stored?.serverUrl === serverUrl.href ? stored : undefined

/** What a sign-in that is begun anew leaves as it is. */
const keptOf = (stored: StoredSignIn | undefined): Pick<StoredSignIn, 'tokens' | 'wantedScope'> => ({
  ...(stored?.tokens ? { tokens: stored.tokens } : undefined),
  ...(stored?.wantedScope === undefined ? undefined : { wantedScope: stored.wantedScope }),
})

function withoutVerifier(stored: StoredSignIn): StoredSignIn {
  const { verifier: _, ...rest } = stored
  return rest
}

/** The resource the token is for. A server that names another than itself gets no token. */
function toResource(serverUrl: URL, { resourceMetadata }: OAuthServerInfo): string | undefined {
  if (!resourceMetadata) return undefined
  const requestedResource = resourceUrlFromServerUrl(serverUrl)
  if (!checkResourceAllowed({ requestedResource, configuredResource: resourceMetadata.resource })) {
    throw new OAuthError('invalid_target', 'the metadata of the server is about another server')
  }
  return resourceMetadata.resource
}

function toScope(
  { resourceMetadata, authorizationServerMetadata }: OAuthServerInfo,
  asked: string | undefined,
): string | undefined {
  const scope = asked ?? (resourceMetadata?.scopes_supported?.join(' ') || undefined)
  if (scope === undefined) return undefined
  const offered = authorizationServerMetadata?.scopes_supported ?? []
  return computeScopeUnion(scope, WISHES.filter((wish) => offered.includes(wish)).join(' ') || undefined)
}

function toAuthMethod(supported: readonly string[] | undefined): string {
  if (!supported || supported.includes('none')) return 'none'
  return ['client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none'
}

/** Who sent it is checked before anything else in it is believed. */
function codeFrom(params: URLSearchParams, { metadata }: StoredSignIn): string {
  validateAuthorizationResponseIssuer({
    iss: params.get('iss') ?? undefined,
    expectedIssuer: metadata?.issuer,
    issParameterSupported:
      (metadata as { authorization_response_iss_parameter_supported?: unknown } | undefined)
        ?.authorization_response_iss_parameter_supported === true,
  })
  const error = params.get('error')
  if (error !== null) throw new OAuthError(error, 'the sign-in page sent the person back with an error')
  const code = params.get('code')
  if (code === null) throw new OAuthError('invalid_request', 'the callback holds neither a code nor an error')
  return code
}

/** To stay signed in, and to be told which account it is. The rest is asked for because the server wants it. */
const WISHES = ['offline_access', 'openid']

function missingScopes(asked: string | undefined, granted: string | undefined): readonly string[] {
  if (asked === undefined || granted === undefined) return []
  const has = new Set(granted.split(/\s+/))
  return asked.split(/\s+/).filter((scope) => scope !== '' && !WISHES.includes(scope) && !has.has(scope))
}
