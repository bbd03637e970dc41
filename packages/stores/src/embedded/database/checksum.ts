import { crc32 } from 'node:zlib'
import { StoreError } from '@capstan/harness'

/** Finds a flipped bit inside of a text, which SQLite does not notice. */
export const checksum = (text: string | Uint8Array, seed = 0): number => crc32(text, seed >>> 0)

/** Throws a `StoreError` of kind `damaged` when data is not what was written. */
export function refuseDamage(isWhole: boolean, what: string): void {
  if (isWhole) return
  throw new StoreError(
    'damaged',
    `The store is damaged: ${what} is not what was written. Start Capstan again: it checks the whole file.`,
  )
}
