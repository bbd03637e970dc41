import type { Connection } from '../database/connection.ts'

/**
 * The bytes of the pages of a thread. `octet_length` is known from the header of a row, so their text is not read.
 * `indexed` is the number of the last page in the index.
 */
export function createBytesOf(connection: Connection, indexed: () => number): (thread: number) => number {
  const sum = connection.prepare<{ readonly bytes: number }>(
    `SELECT
    (SELECT coalesce(sum(octet_length(body)), 0) FROM pages JOIN journal USING (id) WHERE pages.thread = ?1) +
    (SELECT coalesce(sum(octet_length(body)), 0) FROM journal WHERE id > ?2 AND thread = ?1) AS bytes`,
  )
  return (thread) => sum.get(thread, indexed())?.bytes ?? 0
}
