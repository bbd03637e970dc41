import { hash, timingSafeEqual } from 'node:crypto'

/** Proves that the store wrote something, and not another program with access to the file. */
export interface Seal {
  /** There is no key, so nothing fits. */
  readonly isKeyMissing?: true
  /** The first field is the kind of the others, so that a seal of one kind never fits another. */
  of(fields: readonly unknown[]): Uint8Array
  /** The same in hexadecimal, which is cheaper. */
  hexOf(fields: readonly unknown[]): string
  fits(fields: readonly unknown[], seal: Uint8Array | null): boolean
}

/** A seal by a key of 32 bytes. */
export function createSeal(key: Uint8Array): Seal {
  const inner = padKey(key, 0x36)
  // Kept and written over each time: a new buffer costs as much as a hash.
  const outer = Buffer.concat([padKey(key, 0x5c), new Uint8Array(HASH_BYTES)])
  const small = Buffer.concat([inner, new Uint8Array(SMALL_BYTES)])
  const hexOf = (fields: readonly unknown[]): string => {
    const text = JSON.stringify(fields)
    const isSmall = text.length * MAX_BYTES_PER_UNIT <= SMALL_BYTES
    const bytes = isSmall
      ? small.subarray(0, BLOCK_BYTES + small.write(text, BLOCK_BYTES))
      : Buffer.concat([inner, Buffer.from(text)])
    outer.write(hash('sha256', bytes, 'binary'), BLOCK_BYTES, 'latin1')
    return hash('sha256', outer)
  }
  const of = (fields: readonly unknown[]): Uint8Array => Buffer.from(hexOf(fields), 'hex')
  return {
    of,
    hexOf,
    fits(fields, seal) {
      const wanted = of(fields)
      return seal?.byteLength === wanted.byteLength && timingSafeEqual(seal, wanted)
    },
  }
}

// HMAC-SHA-256, written out: `createHmac` takes about four times as long for a short text, and every page is sealed.
const BLOCK_BYTES = 64
const HASH_BYTES = 32
const SMALL_BYTES = 1024
const MAX_BYTES_PER_UNIT = 3
const padKey = (key: Uint8Array, pad: number): Uint8Array =>
  Uint8Array.from({ length: BLOCK_BYTES }, (_, index) => (key[index] ?? 0) ^ pad)
