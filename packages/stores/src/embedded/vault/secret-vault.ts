import { StoreError } from '@capstan/harness'
import type { Secret, SecretVault } from '@capstan/harness'
import type { ConnectionRows } from '../connections/connection-rows.ts'
import type { StoreAccess } from '../database/store-access.ts'
import type { SecretKey } from './secret-key.ts'
import { lock, unlock } from './secret-lock.ts'
import type { SecretRows } from './secret-rows.ts'

export interface SecretVaultParts {
  readonly secrets: SecretRows
  readonly connections: ConnectionRows
  readonly secretKey: SecretKey
  /** About so many bytes were written. */
  readonly changed: (bytes: number) => void
  readonly sync: () => Promise<void> | undefined
}

/**
 * Secrets are locked before they reach SQLite, each for its connection: for the id, and for the user and toolkit it
 * belonged to when it was written. What is written or deleted is on the disk when it settles, for a token that was
 * renewed cannot be had again.
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
      // Beyond the gate: a secret that cannot be opened says nothing of the rest of the file.
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

/** What a person should know of the key before a secret is needed. */
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

// What JSON says of an error may quote the value.
function toText(secret: Secret): string {
  let text: string | undefined
  try {
    text = JSON.stringify(secret)
  } catch {
    // Told below.
  }
  if (text === undefined) throw new StoreError('invalid', 'The secret is nothing that JSON can hold.')
  return text
}
