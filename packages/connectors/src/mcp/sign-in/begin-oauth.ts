import type { SignIn } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { FetchLike, OAuthClientInformationMixed, OAuthServerInfo } from '@modelcontextprotocol/client'
import {
  computeScopeUnion,
  registerClient,
  resolveClientMetadata,
  startAuthorization,
} from '@modelcontextprotocol/client'
import type { Challenge } from '../errors.ts'
import { NoRegistration } from '../errors.ts'
import type { McpServerConfig } from '../servers/server-config.ts'
import { urlOf } from '../servers/server-config.ts'
import { checkUrl, createGuardedFetch } from '../transports/guarded-fetch.ts'
import { discoverOAuth, toResource, toScope } from './discover-oauth.ts'
import type { SecretCache } from './secret-cache.ts'
import type { StoredSignIn } from './stored-sign-in.ts'
import { keptOf, ofServer } from './stored-sign-in.ts'

export interface OAuthClientOptions {
  readonly secrets: SecretCache
  readonly clock: Clock
  readonly clientName: string
  /** The address of a document about this client, for services that accept one in place of a registration. */
  readonly clientMetadataUrl: string | undefined
}

export interface OAuthRequest {
  readonly connectionId: string
  readonly server: McpServerConfig
  readonly signIn: SignIn
  readonly challenge: Challenge
}

/** Begins a sign-in and answers with the page the person has to visit. Rejects with what the service or the network did. */
export async function beginOAuth(
  { connectionId, server, signIn: { state, redirectUri }, challenge }: OAuthRequest,
  options: OAuthClientOptions,
): Promise<string> {
  const { secrets } = options
  const serverUrl = urlOf(server)
  const fetchFn = createGuardedFetch({ serverUrl })
  const found = await discoverOAuth(serverUrl, fetchFn, challenge)
  const resource = toResource(serverUrl, found)
  const before = ofServer(serverUrl, await secrets.read(connectionId))
  const scope = toScope(found, computeScopeUnion(challenge.scope, before?.wantedScope))
  const client = await findClient(server, found, { before, redirectUri, scope, fetchFn, ...options })
  const { authorizationUrl, codeVerifier } = await startAuthorization(found.authorizationServerUrl, {
    ...(found.authorizationServerMetadata ? { metadata: found.authorizationServerMetadata } : undefined),
    clientInformation: client,
    redirectUrl: redirectUri,
    state,
    ...(scope === undefined ? undefined : { scope }),
    ...(resource === undefined ? undefined : { resource }),
  })
  checkUrl(authorizationUrl, serverUrl) // a person's browser will open it
  await secrets.update(connectionId, (stored) => ({
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

interface ClientNeeds extends OAuthClientOptions {
  readonly before: StoredSignIn | undefined
  readonly redirectUri: string
  readonly scope: string | undefined
  readonly fetchFn: FetchLike
}

/** This program as the service knows it: configured, described by a document, registered before, or registered now. */
async function findClient(
  server: McpServerConfig,
  { authorizationServerUrl, authorizationServerMetadata: metadata }: OAuthServerInfo,
  { before, redirectUri, scope, fetchFn, clock, clientName, clientMetadataUrl }: ClientNeeds,
): Promise<OAuthClientInformationMixed> {
  if (server.client) {
    const { id, secret } = server.client
    return { client_id: id, ...(secret === undefined ? undefined : { client_secret: secret }) }
  }
  if (metadata?.client_id_metadata_document_supported === true && clientMetadataUrl !== undefined) {
    return { client_id: clientMetadataUrl }
  }
  // A registration is valid at one service, for one redirect address.
  const isSame =
    before?.redirectUri === redirectUri && before.authorizationServerUrl === authorizationServerUrl
  if (isSame && !isExpired(before.client, clock.now())) return before.client
  if (metadata && metadata.registration_endpoint === undefined) throw new NoRegistration()
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

function isExpired(client: OAuthClientInformationMixed, now: number): boolean {
  const at = (client as { client_secret_expires_at?: number }).client_secret_expires_at
  return at !== undefined && at !== 0 && at * 1000 <= now
}

function toAuthMethod(supported: readonly string[] | undefined): string {
  if (!supported || supported.includes('none')) return 'none'
  return ['client_secret_basic', 'client_secret_post'].find((method) => supported.includes(method)) ?? 'none'
}
