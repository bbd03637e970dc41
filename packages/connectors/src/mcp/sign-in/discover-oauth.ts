import type { FetchLike, OAuthServerInfo } from '@modelcontextprotocol/client'
import {
  IssuerMismatchError,
  OAuthError,
  checkResourceAllowed,
  computeScopeUnion,
  discoverOAuthServerInfo,
  resourceUrlFromServerUrl,
} from '@modelcontextprotocol/client'
import type { Challenge } from '../errors.ts'

/** Asked for in addition: to stay signed in, and to learn which account it is. The server itself needs neither. */
export const OPTIONAL_SCOPES: readonly string[] = ['offline_access', 'openid']

/** Finds the sign-in service of a server by the metadata both publish. Rejects when there is none. */
export async function discoverOAuth(
  serverUrl: URL,
  fetchFn: FetchLike,
  { resourceMetadataUrl }: Challenge,
): Promise<OAuthServerInfo> {
  const options = { fetchFn, ...(resourceMetadataUrl ? { resourceMetadataUrl } : undefined) }
  try {
    return await discoverOAuthServerInfo(serverUrl, options)
  } catch (error) {
    // A server of the first protocol revision is its own sign-in service, and some name it by an address with a path.
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

/** The resource the token is issued for. Throws for a server that names another server than itself. Pure. */
export function toResource(serverUrl: URL, { resourceMetadata }: OAuthServerInfo): string | undefined {
  if (!resourceMetadata) return undefined
  const requestedResource = resourceUrlFromServerUrl(serverUrl)
  if (!checkResourceAllowed({ requestedResource, configuredResource: resourceMetadata.resource })) {
    throw new OAuthError('invalid_target', 'the metadata of the server is about another server')
  }
  return resourceMetadata.resource
}

/** The scopes to ask for: `wanted`, or else all that the server lists. Pure. */
export function toScope(
  { resourceMetadata, authorizationServerMetadata }: OAuthServerInfo,
  wanted: string | undefined,
): string | undefined {
  const scope = wanted ?? (resourceMetadata?.scopes_supported?.join(' ') || undefined)
  if (scope === undefined) return undefined
  const offered = authorizationServerMetadata?.scopes_supported ?? []
  const extra = OPTIONAL_SCOPES.filter((optional) => offered.includes(optional))
  return computeScopeUnion(scope, extra.join(' ') || undefined)
}
