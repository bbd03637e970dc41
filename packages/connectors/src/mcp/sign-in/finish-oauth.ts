import type { SignInCallback } from '@capstan/harness/connectors'
import type { Clock } from '@capstan/harness/seams'
import type { OAuthTokens } from '@modelcontextprotocol/client'
import {
  OAuthError,
  exchangeAuthorization,
  validateAuthorizationResponseIssuer,
} from '@modelcontextprotocol/client'
import type { McpServerConfig } from '../servers/server-config.ts'
import { urlOf } from '../servers/server-config.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'
import { accountLabel } from './account-label.ts'
import { OPTIONAL_SCOPES } from './discover-oauth.ts'
import type { SignInFailure } from './explain-sign-in-error.ts'
import { explainSignInError } from './explain-sign-in-error.ts'
import { revokeTokens } from './revoke-tokens.ts'
import type { SecretCache } from './secret-cache.ts'
import type { StoredSignIn } from './stored-sign-in.ts'
import { toStoredTokens, withoutVerifier } from './stored-sign-in.ts'

export interface OAuthCallback {
  readonly connectionId: string
  readonly server: McpServerConfig
  readonly callback: SignInCallback
}

export type FinishedOAuth =
  | { readonly ok: true; readonly label?: string }
  | ({ readonly ok: false } & SignInFailure)

/** Exchanges the code of a callback for tokens and stores them. Never throws for what a service does. */
export async function finishOAuth(
  { connectionId, server, callback: { params, redirectUri } }: OAuthCallback,
  { secrets, clock }: { readonly secrets: SecretCache; readonly clock: Clock },
): Promise<FinishedOAuth> {
  const stored = await secrets.read(connectionId)
  if (!stored || stored.verifier === undefined || stored.redirectUri !== redirectUri) {
    return { ok: false, reason: 'No sign-in was begun here, or it is over. Start again.' }
  }
  // A verifier is good for one attempt.
  await secrets.update(connectionId, (now) => now && withoutVerifier(now))
  try {
    const tokens = await exchangeCode(stored, stored.verifier, { server, callback: { params, redirectUri } })
    secrets.remember(connectionId, tokens.id_token)
    if (lacksScope(stored.scope, tokens.scope)) {
      secrets.remember(connectionId, tokens.access_token, tokens.refresh_token)
      await revokeTokens({ ...stored, tokens: toStoredTokens(tokens, clock.now()) }, server)
      throw new OAuthError('insufficient_scope', 'fewer scopes were granted than were asked for')
    }
    await secrets.update(connectionId, (now) => {
      const { wantedScope: _, ...rest } = withoutVerifier(now ?? stored)
      return { ...rest, tokens: toStoredTokens(tokens, clock.now()) }
    })
    const { client, metadata } = stored
    const label = accountLabel(tokens.id_token, { issuer: metadata?.issuer, clientId: client.client_id })
    return { ok: true, ...(label === undefined ? undefined : { label }) }
  } catch (error) {
    return { ok: false, ...explainSignInError(error) }
  }
}

function exchangeCode(
  stored: StoredSignIn,
  verifier: string,
  { server, callback: { params, redirectUri } }: Omit<OAuthCallback, 'connectionId'>,
): Promise<OAuthTokens> {
  return exchangeAuthorization(stored.authorizationServerUrl, {
    ...(stored.metadata ? { metadata: stored.metadata } : undefined),
    clientInformation: stored.client,
    authorizationCode: codeFrom(params, stored),
    ...(params.has('iss') ? { iss: params.get('iss')! } : undefined),
    codeVerifier: verifier,
    redirectUri,
    ...(stored.resource === undefined ? undefined : { resource: stored.resource }),
    fetchFn: createGuardedFetch({ serverUrl: urlOf(server) }),
  })
}

/** Checks which service sent the callback before it believes anything else in it. */
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

function lacksScope(asked: string | undefined, granted: string | undefined): boolean {
  if (asked === undefined || granted === undefined) return false
  const has = new Set(granted.split(/\s+/))
  return asked
    .split(/\s+/)
    .some((scope) => scope !== '' && !OPTIONAL_SCOPES.includes(scope) && !has.has(scope))
}
