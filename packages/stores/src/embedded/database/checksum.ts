import { crc32 } from 'node:zlib'
import { StoreError } from '@capstan/harness'

/** SQLite notices a torn file, but not a flipped bit inside of a text. This does. */
export const checksum = (text: string | Uint8Array, seed = 0): number => crc32(text, seed >>> 0)

/** Wrong rows are worse than none. */
export function refuseDamage(isWhole: boolean, what: string): void {
  if (isWhole) return
  throw new StoreError(
    'damaged',
    `The store is damaged: ${what} is not what was written. Start Capstan again: it looks through the whole file.`,
  )
}
