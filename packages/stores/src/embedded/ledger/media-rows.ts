import { checksum, refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'

/** Bytes of images and files, beside the journal. */
export interface MediaRows {
  put(thread: number, ref: string, bytes: Uint8Array): void
  get(thread: number, ref: string): Uint8Array | undefined
  bytesOf(thread: number): number
  delete(thread: number): void
}

export function createMediaRows(connection: Connection): MediaRows {
  const put = connection.prepare('INSERT OR REPLACE INTO media VALUES (?, ?, ?, ?)')
  const get = connection.prepare<{ readonly bytes: Uint8Array; readonly sum: number }>(
    'SELECT bytes, sum FROM media WHERE thread = ? AND ref = ?',
  )
  const bytesOf = connection.prepare<{ readonly bytes: number }>(
    'SELECT coalesce(sum(length(bytes)), 0) AS bytes FROM media WHERE thread = ?',
  )
  const remove = connection.prepare('DELETE FROM media WHERE thread = ?')
  return {
    put(thread, ref, bytes) {
      put.run(thread, ref, bytes, checksum(bytes))
    },
    get(thread, ref) {
      const row = get.get(thread, ref)
      if (row) refuseDamage(checksum(row.bytes) === row.sum, `the file ${ref}`)
      return row?.bytes
    },
    bytesOf: (thread) => bytesOf.get(thread)?.bytes ?? 0,
    delete(thread) {
      remove.run(thread)
    },
  }
}
