import { StoreError } from '@capstan/harness'
import { createCheckedFlush } from './checked-flush.ts'
import type { CheckedFlush } from './checked-flush.ts'
import { createPool } from './create-pool.ts'
import { createRequests } from './requests.ts'
import type { Query } from './requests.ts'
import { isUnstorableText, toStoreError } from './store-errors.ts'
import { runTransaction } from './transactions.ts'
import type { TransactionOptions } from './transactions.ts'

export type { Query } from './requests.ts'

/** The database of a store. Every error is a `StoreError`, except in `send`. */
export interface Database {
  /** A statement that changes nothing. Repeated when the connection is lost. Values no column can hold match no row. */
  readonly read: Query
  /** A statement that may be repeated: a second execution changes nothing more. A crash of the server does not lose it. */
  readonly write: Query
  /** The same for what a crash of the server may lose, unless something that was written after it is flushed. */
  readonly writeLazily: Query
  /**
   * Runs the work in one transaction. It may be called again when nothing of it was stored. A crash of the server does not
   * lose it.
   */
  transaction<Value>(work: (query: Query) => Promise<Value>, options?: TransactionOptions): Promise<Value>
  /** One statement, sent once. Throws the error of the driver: after a lost connection it is not known what happened. */
  readonly send: Query
  /** Everything that was sent before is safe once it was waited for. */
  readonly flush: CheckedFlush
  refuseIfClosed(): void
  close(): Promise<void>
}

interface DatabaseOptions {
  readonly url: string
  readonly poolSize: number
  /** How long a request waits for a database that cannot be reached. */
  readonly reconnectMs: number
}

export function openDatabase({ url, poolSize, reconnectMs }: DatabaseOptions): Database {
  const pool = createPool(url, poolSize)
  let closing: Promise<void> | undefined
  const requests = createRequests(pool, { reconnectMs, isClosed: () => closing !== undefined })
  const { send, persist } = requests

  const refuseIfClosed = (): void => {
    if (closing) throw new StoreError('closed', 'The store is closed.')
  }
  const explained = async <Value>(work: () => Promise<Value>): Promise<Value> => {
    refuseIfClosed()
    try {
      return await work()
    } catch (error) {
      throw toStoreError(error)
    }
  }
  const writeLazily: Query = (sql, values) => explained(() => persist(() => send(sql, values)))
  const flush = createCheckedFlush(writeLazily)
  return {
    flush,
    read: <Row>(sql: string, values?: readonly unknown[]) =>
      explained(() =>
        persist(() => send<Row>(sql, values)).catch((error: unknown) => {
          if (isUnstorableText(error)) return []
          throw error
        }),
      ),
    async write<Row>(sql: string, values?: readonly unknown[]) {
      const rows = await writeLazily<Row>(sql, values)
      flush.note()
      await flush.wait()
      return rows
    },
    writeLazily,
    transaction: (work, options) => explained(() => runTransaction(requests, work, options)),
    send,
    refuseIfClosed,
    close: () => (closing ??= pool.end()),
  }
}
