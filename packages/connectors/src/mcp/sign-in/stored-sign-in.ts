import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client'

/** What the vault holds for a connection. */
export interface StoredSignIn {
  readonly kind: 'mcp-oauth'
  /** The server the tokens were issued for. No other server gets them. */
  readonly serverUrl: string
  readonly authorizationServerUrl: string
  readonly metadata?: AuthorizationServerMetadata
  readonly client: OAuthClientInformationMixed
  /** The redirect address this client was registered with. */
  readonly redirectUri: string
  /** The resource indicator. */
  readonly resource?: string
  /** The scopes that were asked for. */
  readonly scope?: string
  /** The code verifier of the sign-in in progress. */
  readonly verifier?: string
  readonly tokens?: StoredTokens
  /** Scopes the server wanted beyond those of the token. The next sign-in asks for them. */
  readonly wantedScope?: string
}

export interface StoredTokens {
  readonly access: string
  readonly refresh?: string
  readonly scope?: string
  readonly expiresAt?: number
  /** From this time on the token is renewed before it is used. */
  readonly renewAt?: number
}

/** Tokens as a service sends them, with times of our clock. Pure. */
export function toStoredTokens(tokens: OAuthTokens, now: number): StoredTokens {
  const lifeMs = tokens.expires_in === undefined ? undefined : tokens.expires_in * 1000
  return {
    access: tokens.access_token,
    ...(tokens.refresh_token === undefined ? undefined : { refresh: tokens.refresh_token }),
    ...(tokens.scope === undefined ? undefined : { scope: tokens.scope }),
    ...(lifeMs === undefined
      ? undefined
      : { expiresAt: now + lifeMs, renewAt: now + lifeMs - Math.min(60_000, lifeMs / 10) }),
  }
}

/** What was stored, if it was stored for this server. Pure. */
export const ofServer = (serverUrl: URL, stored: StoredSignIn | undefined): StoredSignIn | undefined =>
  stored?.serverUrl === serverUrl.href ? stored : undefined

/** What a new sign-in keeps of the one before. Pure. */
export const keptOf = (stored: StoredSignIn | undefined): Pick<StoredSignIn, 'tokens' | 'wantedScope'> => ({
  ...(stored?.tokens ? { tokens: stored.tokens } : undefined),
  ...(stored?.wantedScope === undefined ? undefined : { wantedScope: stored.wantedScope }),
})

/** Pure. */
export function withoutVerifier(stored: StoredSignIn): StoredSignIn {
  const { verifier: _, ...rest } = stored
  return rest
}
