import type { Locks, SecretVault } from '@capstan/harness/stores'
import { hideSecrets } from '../../hide-secrets.ts'
import type { StoredSignIn } from './stored-sign-in.ts'

/**
 * Access to the vault: changes of one connection run one after the other, on all nodes, and every secret that passes can be
 * redacted.
 */
export interface SecretCache {
  read(connectionId: string): Promise<StoredSignIn | undefined>
  /** `change` gets what is stored; it answers `undefined` to leave it as it is. */
  update(
    connectionId: string,
    change: (stored: StoredSignIn | undefined) => StoredSignIn | undefined,
  ): Promise<void>
  delete(connectionId: string): Promise<void>
  /** The text without the secrets of these owners, as far as they passed through this cache. */
  redact(text: string, ...owners: readonly string[]): string
  /** Adds secrets to redact. The owner is a connection, or a server by its slug. */
  remember(owner: string, ...secrets: readonly (string | undefined)[]): void
}

// Per owner: two generations of tokens, and the rest.
const MAX_SECRETS = 12

/** A change is a read and a write. */
const LOCK_LIMIT_MS = 30_000

export function createSecretCache(vault: SecretVault, locks: Locks): SecretCache {
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
      if (own.size <= MAX_SECRETS) break
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

  const inTurn = (connectionId: string, work: () => Promise<void>): Promise<void> =>
    locks.withLock(`secret of ${connectionId}`, work, { limitMs: LOCK_LIMIT_MS })

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
