import { StoreError } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import type { Locks } from '@capstan/harness/stores'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import { SignInNeeded, SignInUnavailable } from '../errors.ts'
import { createGuardedFetch } from '../transports/guarded-fetch.ts'
import type { SecretCache } from './secret-cache.ts'
import type { StoredSignIn } from './stored-sign-in.ts'
import { toStoredTokens } from './stored-sign-in.ts'

/** The access token of each connection, renewed in time. */
export interface AccessTokens {
  /**
   * Undefined when there is none. A token about to expire is renewed first. Rejects with `SignInNeeded` when the service
   * refuses to renew it, and with `SignInUnavailable` when the service gives no answer.
   */
  current(connectionId: string): Promise<string | undefined>
  /** The server refused the token `used`. Resolves when there is a new one; rejects as `current` does. */
  renew(connectionId: string, used: string | undefined): Promise<void>
}

export interface AccessTokensOptions {
  readonly secrets: SecretCache
  readonly locks: Locks
  readonly clock: Clock
}

// The grant or the client no longer exists: only a new sign-in helps.
const FINAL = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'access_denied',
])

/** Longer than a service has for its answer, and than a node that died keeps a lock. */
const LOCK_LIMIT_MS = 30_000

/**
 * Never renews twice at once for one connection, on this node or another: with rotation the second attempt would lock the
 * user out.
 */
export function createAccessTokens({ secrets, locks, clock }: AccessTokensOptions): AccessTokens {
  const flights = new Map<string, Promise<void>>()

  function renew(connectionId: string, used: string | undefined): Promise<void> {
    const running = flights.get(connectionId)
    if (running) return running
    const flight = renewAlone(connectionId, used).finally(() => flights.delete(connectionId))
    flights.set(connectionId, flight)
    return flight
  }

  async function renewAlone(connectionId: string, used: string | undefined): Promise<void> {
    const work = () => renewNow(connectionId, used)
    try {
      await locks.withLock(`token of ${connectionId}`, work, { limitMs: LOCK_LIMIT_MS })
    } catch (error) {
      if (!(error instanceof StoreError && error.kind === 'locked')) throw error
      throw new SignInUnavailable('the token is being renewed elsewhere', { cause: error })
    }
  }

  async function renewNow(connectionId: string, used: string | undefined): Promise<void> {
    const stored = await secrets.read(connectionId)
    if (stored?.tokens && used !== undefined && stored.tokens.access !== used) return // another caller or node renewed it
    const refresh = stored?.tokens?.refresh
    if (!stored || refresh === undefined) throw new SignInNeeded()
    try {
      const fresh = await refreshAuthorization(stored.authorizationServerUrl, {
        ...(stored.metadata ? { metadata: stored.metadata } : undefined),
        clientInformation: stored.client,
        refreshToken: refresh,
        ...(stored.resource === undefined ? undefined : { resource: stored.resource }),
        fetchFn: createGuardedFetch({ serverUrl: new URL(stored.serverUrl) }),
      })
      // A disconnect or a new sign-in in the meantime wins; giving up on the old token does not.
      await secrets.update(connectionId, (now) =>
        now && (now.tokens === undefined || now.tokens.refresh === refresh)
          ? { ...now, tokens: { ...scopeOf(stored), ...toStoredTokens(fresh, clock.now()) } }
          : undefined,
      )
    } catch (error) {
      if (!(error instanceof OAuthError && FINAL.has(error.code))) {
        throw new SignInUnavailable('the sign-in service did not renew the token', { cause: error })
      }
      await giveUp(connectionId, refresh)
    }
  }

  /** Deletes the tokens, unless another process has renewed them in the meantime. */
  async function giveUp(connectionId: string, refused: string): Promise<void> {
    let isReplaced = false
    await secrets.update(connectionId, (now) => {
      isReplaced = now?.tokens?.refresh !== undefined && now.tokens.refresh !== refused
      if (!now || isReplaced) return undefined
      const { tokens: _, ...rest } = now
      return rest
    })
    if (!isReplaced) throw new SignInNeeded()
  }

  return {
    renew,
    async current(connectionId) {
      const tokens = (await secrets.read(connectionId))?.tokens
      if (!tokens) return undefined
      if (tokens.refresh === undefined || clock.now() < (tokens.renewAt ?? Infinity)) return tokens.access
      try {
        await renew(connectionId, tokens.access)
      } catch (error) {
        const isStillGood = clock.now() < (tokens.expiresAt ?? 0)
        if (error instanceof SignInUnavailable && isStillGood) return tokens.access
        throw error
      }
      return (await secrets.read(connectionId))?.tokens?.access
    },
  }
}

const scopeOf = ({ tokens }: StoredSignIn) => (tokens?.scope === undefined ? {} : { scope: tokens.scope })
