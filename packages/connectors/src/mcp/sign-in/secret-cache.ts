import type { SecretVault } from '@capstan/harness'
import type {
  AuthorizationServerMetadata,
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/client'
import { hideSecrets } from '../../hide-secrets.ts'

/** What the vault holds for a connection. */
export interface StoredSignIn {
  readonly kind: 'mcp-oauth'
  /** The server it was made for: nobody else is shown the token. */
  readonly serverUrl: string
  readonly authorizationServerUrl: string
  readonly metadata?: AuthorizationServerMetadata
  readonly client: OAuthClientInformationMixed
  /** Where this client was registered to be sent back to. */
  readonly redirectUri: string
  /** The resource indicator. */
  readonly resource?: string
  /** What was asked for. */
  readonly scope?: string
  /** Of the sign-in that is under way. */
  readonly verifier?: string
  readonly tokens?: StoredTokens
  /** The server wants more than the token allows: asked for at the next sign-in. */
  readonly wantedScope?: string
}

export interface StoredTokens {
  readonly access: string
  readonly refresh?: string
  readonly scope?: string
  readonly expiresAt?: number
  /** From here on it is renewed before it is used. */
  readonly renewAt?: number
}

/** The vault as this room uses it: one change after the other, and everything secret remembered so that it can be removed. */
export interface SecretDesk {
  read(connectionId: string): Promise<StoredSignIn | undefined>
  /** `change` sees what is there; undefined leaves it as it is. */
  update(
    connectionId: string,
    change: (stored: StoredSignIn | undefined) => StoredSignIn | undefined,
  ): Promise<void>
  delete(connectionId: string): Promise<void>
  /** The text without the secrets of these, as far as they went through this desk. */
  redact(text: string, ...owners: readonly string[]): string
  /** Something else that must not be shown: of a connection, or of a server by its slug. */
  remember(owner: string, ...secrets: readonly (string | undefined)[]): void
}

// Of one owner: two generations of tokens, and what else there is.
const MOST_SECRETS = 12

export function createSecretDesk(vault: SecretVault): SecretDesk {
  const queues = new Map<string, Promise<unknown>>()
  const secrets = new Map<string, Set<string>>()

  function remember(owner: string, ...found: readonly (string | undefined)[]): void {
    const own = secrets.get(owner) ?? new Set()
    secrets.set(owner, own)
    for (const secret of found) {
      if (secret === undefined) continue
      own.delete(secret)
      own.add(secret)
    }
    for (const oldest of own) {
      if (own.size <= MOST_SECRETS) break
      own.delete(oldest)
    }
  }

  const note = (connectionId: string, stored: StoredSignIn): StoredSignIn => {
    const { tokens, client, verifier } = stored
    remember(connectionId, client.client_secret, verifier, tokens?.refresh, tokens?.access)
    return stored
  }

  async function read(connectionId: string): Promise<StoredSignIn | undefined> {
    const secret = await vault.read(connectionId)
    return secret?.['kind'] === 'mcp-oauth'
      ? note(connectionId, secret as unknown as StoredSignIn)
      : undefined
  }

  function inTurn(connectionId: string, work: () => Promise<void>): Promise<void> {
    const turn = (queues.get(connectionId) ?? Promise.resolve()).then(work)
    const settled = turn
      .catch(() => {})
      .finally(() => {
        if (queues.get(connectionId) === settled) queues.delete(connectionId)
      })
    queues.set(connectionId, settled)
    return turn
  }

  return {
    read,
    update: (connectionId, change) =>
      inTurn(connectionId, async () => {
        const changed = change(await read(connectionId))
        if (changed) await vault.write(connectionId, { ...note(connectionId, changed) })
      }),
    delete: (connectionId) => inTurn(connectionId, async () => vault.delete(connectionId)),
    redact: (text, ...owners) =>
      hideSecrets(
        text,
        owners.flatMap((owner) => [...(secrets.get(owner) ?? [])]),
      ),
    remember,
  }
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
