import type { McpServerConfig } from '../servers/server-config.ts'
import { urlOf } from '../servers/server-config.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'
import type { StoredSignIn } from './stored-sign-in.ts'

/** Revokes the tokens where the service allows it. Never throws. */
export async function revokeTokens(
  { metadata, tokens, client }: StoredSignIn,
  server: McpServerConfig,
): Promise<void> {
  const endpoint = (metadata as { revocation_endpoint?: unknown } | undefined)?.revocation_endpoint
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
      return // the service cannot be reached; our copy is deleted in any case
    }
  }
}
