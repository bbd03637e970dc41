import type { SecretVault } from '@capstan/harness/stores'
import { lockSecret, openSecret, toBinding, toSecretText } from '../../shared/vault/locked-secret.ts'
import type { SecretKey } from '../../shared/vault/secret-key.ts'
import type { ConnectionRows } from '../connections/connection-rows.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { SecretRows } from './secret-rows.ts'

export interface SecretVaultParts {
  readonly secrets: SecretRows
  readonly connections: ConnectionRows
  readonly secretKey: SecretKey
  /** Call after each write, with its approximate size in bytes. */
  readonly changed: (bytes: number) => void
  readonly sync: () => Promise<void> | undefined
}

/**
 * Secrets are locked before they reach SQLite, each for its connection: for the id, and for the user and toolkit it
 * belonged to when it was written. A write or a delete is flushed when it settles, because a renewed token cannot be
 * fetched again.
 */
export function createSecretVault(access: StoreAccess, parts: SecretVaultParts): SecretVault {
  const { secrets, connections, secretKey, changed, sync } = parts
  const ownerOf = (connectionId: string): string | undefined => toBinding(connections.get(connectionId))

  return {
    read(connectionId) {
      const found = access.read(() => {
        const secret = secrets.get(connectionId)
        return secret && { ...secret, owner: ownerOf(connectionId) }
      })
      // Outside of `access.read`: a secret that cannot be opened does not mean that the file is damaged.
      return found && openSecret(secretKey, connectionId, found)
    },
    write(connectionId, secret) {
      access.refuseIfClosed()
      access.refuseIfReadOnly()
      const text = toSecretText(secret)
      access.write(() => {
        secrets.put(connectionId, lockSecret(secretKey, connectionId, ownerOf(connectionId), text))
      })
      changed(text.length)
      return access.read(sync)
    },
    delete(connectionId) {
      access.write(() => secrets.delete(connectionId))
      changed(0)
      return access.read(sync)
    },
  }
}
