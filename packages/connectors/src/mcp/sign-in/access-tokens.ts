import type { Clock } from '@capstan/harness'
import { OAuthError, refreshAuthorization } from '@modelcontextprotocol/client'
import type { FetchLike } from '@modelcontextprotocol/client'
import { SignInNeeded, SignInUnavailable } from '../errors.ts'
import type { SecretDesk, StoredSignIn } from './secret-cache.ts'
import { toStoredTokens } from './secret-cache.ts'

/** The token of a connection, renewed in time. */
export interface TokenKeeper {
  /**
   * Undefined when there is none. Renewed first when it is about to expire. Rejects with `SignInNeeded` when it cannot be
   * renewed, with `SignInUnavailable` when nobody can tell.
   */
  current(connectionId: string): Promise<string | undefined>
  /** The server refused `used`. Resolves when there is another one; rejects as above. */
  renew(connectionId: string, used: string | undefined): Promise<void>
}

export interface TokenKeeperOptions {
  readonly desk: SecretDesk
  readonly clock: Clock
  readonly fetchFor: (connectionId: string) => FetchLike
}

// The grant is gone or the client is: only a new sign-in helps.
const FINAL = new Set([
  'invalid_grant',
  'invalid_client',
  'unauthorized_client',
  'invalid_scope',
  'access_denied',
])

/** Never renews twice at once for one connection: with rotation the second attempt would lock the user out. */
export function createTokenKeeper({ desk, clock, fetchFor }: TokenKeeperOptions): TokenKeeper {
  const flights = new Map<string, Promise<void>>()

  function renew(connectionId: string, used: string | undefined): Promise<void> {
    const running = flights.get(connectionId)
    if (running) return running
    const flight = renewNow(connectionId, used).finally(() => flights.delete(connectionId))
    flights.set(connectionId, flight)
    return flight
  }

  async function renewNow(connectionId: string, used: string | undefined): Promise<void> {
    const stored = await desk.read(connectionId)
    if (stored?.tokens && used !== undefined && stored.tokens.access !== used) return // somebody was faster
    const refresh = stored?.tokens?.refresh
    if (!stored || refresh === undefined) throw new SignInNeeded()
    try {
      const fresh = await refreshAuthorization(stored.authorizationServerUrl, {
        ...(stored.metadata ? { metadata: stored.metadata } : undefined),
        clientInformation: stored.client,
        refreshToken: refresh,
        ...(stored.resource === undefined ? undefined : { resource: stored.resource }),
        fetchFn: fetchFor(connectionId),
      })
      // Whoever disconnected or signed in anew meanwhile has the last word; who gave up on the old token has not.
      await desk.update(connectionId, (now) =>
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

  /** Unless another process has renewed it in between, nobody needs to try this token again. */
  async function giveUp(connectionId: string, refused: string): Promise<void> {
    let isReplaced = false
    await desk.update(connectionId, (now) => {
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
      const tokens = (await desk.read(connectionId))?.tokens
      if (!tokens) return undefined
      if (tokens.refresh === undefined || clock.now() < (tokens.renewAt ?? Infinity)) return tokens.access
      try {
        await renew(connectionId, tokens.access)
      } catch (error) {
        const isStillGood = clock.now() < (tokens.expiresAt ?? 0)
        if (error instanceof SignInUnavailable && isStillGood) return tokens.access
        throw error
      }
      return (await desk.read(connectionId))?.tokens?.access
    },
  }
}

const scopeOf = ({ tokens }: StoredSignIn) => (tokens?.scope === undefined ? {} : { scope: tokens.scope })
