import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { KeyObject } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const FORMAT = 1
const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM: the format in one byte, a random nonce, the ciphertext, the tag. `about` is authenticated and not stored:
 * a text that was locked for one subject never opens for another.
 */
export function lock(key: KeyObject, about: readonly unknown[], text: string): Uint8Array {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  cipher.setAAD(toBytes(about))
  const head = Buffer.of(FORMAT)
  return Buffer.concat([head, nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
}

/** Undefined when it is not what was locked, or not about that, or not with this key. Never throws. */
export function unlock(key: KeyObject, about: readonly unknown[], locked: Uint8Array): string | undefined {
  if (locked[0] !== FORMAT || locked.byteLength < 1 + NONCE_BYTES + TAG_BYTES) return undefined
  const nonce = locked.subarray(1, 1 + NONCE_BYTES)
  const tag = locked.subarray(-TAG_BYTES)
  const decipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES })
  decipher.setAAD(toBytes(about))
  decipher.setAuthTag(tag)
  try {
    const text = decipher.update(locked.subarray(1 + NONCE_BYTES, -TAG_BYTES))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch {
    return undefined
  }
}

const toBytes = (about: readonly unknown[]): Buffer =>
  Buffer.from(JSON.stringify(['capstan secret', FORMAT, ...about]))
