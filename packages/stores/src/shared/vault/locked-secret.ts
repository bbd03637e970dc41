import { StoreError } from '@capstan/harness'
import type { Secret } from '@capstan/harness/stores'
import type { ConnectionRow } from '@capstan/protocol'
import type { SecretKey } from './secret-key.ts'
import { lock, unlock } from './secret-lock.ts'

/** A secret as it is kept. */
export interface LockedSecret {
  /** Whose account at which toolkit, if that was known when it was written. */
  readonly boundTo: string | undefined
  readonly key: string
  readonly locked: Uint8Array
}

/** What a secret is bound to besides the id of its connection. */
export const toBinding = (
  row: Pick<ConnectionRow, 'userId' | 'connector' | 'toolkit'> | undefined,
): string | undefined => row && JSON.stringify([row.userId, row.connector, row.toolkit])

/**
 * Locks the text of a secret for its connection: for the id, and for the user and toolkit it belongs to when it is
 * written. Creates a key if there is none.
 */
export function lockSecret(
  secretKey: SecretKey,
  connectionId: string,
  boundTo: string | undefined,
  text: string,
): LockedSecret {
  const { name, key } = secretKey.readOrCreate()
  return { boundTo, key: name, locked: lock(key, aboutOf(connectionId, boundTo), text) }
}

/** Opens a secret. `owner`: what the connection is bound to now. Throws a `StoreError` when it is not what was written. */
export function openSecret(
  secretKey: SecretKey,
  connectionId: string,
  found: LockedSecret & { readonly owner: string | undefined },
): Secret {
  const refuse = (why: string): StoreError =>
    new StoreError('damaged', `The secret of connection ${connectionId} ${why} sign in again.`)
  const key = secretKey.read()
  if (!key) throw refuse('cannot be opened, its key is gone. Bring the key back, or')
  if (key.name !== found.key) throw refuse('was locked with another key. Bring that key back, or')
  const text = unlock(key.key, aboutOf(connectionId, found.boundTo), found.locked)
  const isOwners = found.boundTo === undefined || (found.owner ?? found.boundTo) === found.boundTo
  if (text === undefined || !isOwners) throw refuse('is not what was written:')
  return JSON.parse(text) as Secret
}

/** What a person should know about the key before a secret is needed. `needed`: the names of the keys. */
export function secretNotices(needed: readonly string[], secretKey: SecretKey): string[] {
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

/** The secret as JSON. The message of a JSON error may quote the value, so it is not passed on. */
export function toSecretText(secret: Secret): string {
  let text: string | undefined
  try {
    text = JSON.stringify(secret)
  } catch {
    // Reported below.
  }
  if (text === undefined) throw new StoreError('invalid', 'The secret cannot be stored as JSON.')
  return text
}
