import type { SecretKey } from '../../shared/vault/secret-key.ts'
import { lock, unlock } from '../../shared/vault/secret-lock.ts'

/** Locks texts with the key of the nodes before they reach PostgreSQL. */
export interface LockedTexts {
  /** `about` is not stored: a text that was locked for one subject does not open for another. */
  lock(about: readonly unknown[], text: string): Uint8Array
  /** Undefined when it is not what a node has locked for this. */
  unlock(about: readonly unknown[], locked: Uint8Array): string | undefined
}

export function createLockedTexts(secretKey: SecretKey): LockedTexts {
  return {
    lock: (about, text) => lock(secretKey.readOrCreate().key, about, text),
    unlock(about, locked) {
      const key = secretKey.read()
      return key && unlock(key.key, about, locked)
    },
  }
}
