import { StoreError } from '@capstan/harness'
import type { Secret, SecretVault } from '@capstan/harness/stores'
import type { ConnectionRows } from '../connections/connection-rows.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { SecretKey } from './secret-key.ts'
import { lock, unlock } from './secret-lock.ts'
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
  const ownerOf = (connectionId: string): string | undefined => {
    const row = connections.get(connectionId)
    return row && JSON.stringify([row.userId, row.connector, row.toolkit])
  }
  const refuse = (connectionId: string, why: string): StoreError =>
    new StoreError('damaged', `The secret of connection ${connectionId} ${why} sign in again.`)

  return {
    read(connectionId) {
      const found = access.read(() => {
        const secret = secrets.get(connectionId)
        return secret && { ...secret, owner: ownerOf(connectionId) }
      })
      if (!found) return undefined
      // Outside of `access.read`: a secret that cannot be opened does not mean that the file is damaged.
      const key = secretKey.read()
      if (!key) throw refuse(connectionId, 'cannot be opened, its key is gone. Bring the key back, or')
      if (key.name !== found.key) {
        throw refuse(connectionId, 'was locked with another key. Bring that key back, or')
      }
      const text = unlock(key.key, aboutOf(connectionId, found.boundTo), found.locked)
      const isOwners = found.boundTo === undefined || (found.owner ?? found.boundTo) === found.boundTo
      if (text === undefined || !isOwners) throw refuse(connectionId, 'is not what was written:')
      return JSON.parse(text) as Secret
    },
    write(connectionId, secret) {
      access.refuseIfClosed()
      access.refuseIfReadOnly()
      const text = toText(secret)
      access.write(() => {
        const { name, key } = secretKey.readOrCreate()
        const boundTo = ownerOf(connectionId)
        const locked = lock(key, aboutOf(connectionId, boundTo), text)
        secrets.put(connectionId, { boundTo, key: name, locked })
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

/** What a person should know about the key before a secret is needed. */
export function secretNotices(secrets: SecretRows, secretKey: SecretKey): string[] {
  const needed = secrets.keys()
  if (needed.length === 0) return []
  try {
    const key = secretKey.read()
    if (needed.every((name) => name === key?.name)) return []
    return [
      `The key of ${key ? 'some secrets' : 'the secrets'} is gone: bring it back, or sign in to the connected apps again.`,
    ]
  } catch (error) {
    if (error instanceof StoreError) return [error.message]
    throw error
  }
}

const aboutOf = (connectionId: string, boundTo: string | undefined): readonly unknown[] => [
  connectionId.toWellFormed(),
  boundTo ?? null,
]

// The message of a JSON error may quote the value.
function toText(secret: Secret): string {
  let text: string | undefined
  try {
    text = JSON.stringify(secret)
  } catch {
    // Reported below.
  }
  if (text === undefined) throw new StoreError('invalid', 'The secret cannot be stored as JSON.')
  return text
}
