import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '@capstan/harness'
import type { Pool, PoolClient } from 'pg'
import { createStatementNames } from './statement-names.ts'
import { isConnectionLoss } from './store-errors.ts'

/** One statement, with its values. */
export type Query = <Row>(sql: string, values?: readonly unknown[]) => Promise<Row[]>

/** Sends statements over the pool. Throws the errors of the driver. */
export interface Requests {
  /** One statement, sent once. After a lost connection it is not known what happened. */
  readonly send: Query
  /** A connection for several statements. One that is broken is not used again. */
  borrow<Value>(work: (client: Borrowed) => Promise<Value>): Promise<Value>
  /** Repeats an attempt while the connection is lost, for a while. */
  readonly persist: <Value>(attempt: () => Promise<Value>) => Promise<Value>
}

export interface Borrowed {
  readonly query: Query
  /** Statements without values, as they are. Answers with the rows of the last one. */
  run<Row>(sql: string): Promise<readonly Row[]>
  markBroken(): void
}

interface RequestOptions {
  /** How long a request waits for a database that cannot be reached. */
  readonly reconnectMs: number
  readonly isClosed: () => boolean
}

const MAX_PAUSE_MS = 500

export function createRequests(pool: Pool, { reconnectMs, isClosed }: RequestOptions): Requests {
  const nameOf = createStatementNames()
  async function borrow<Value>(work: (client: Borrowed) => Promise<Value>): Promise<Value> {
    if (isClosed()) throw new StoreError('closed', 'The store is closed.')
    const client = await pool.connect()
    let isBroken = false
    try {
      return await work({
        query: async <Row>(sql: string, values: readonly unknown[] = []) =>
          (await client.query({ name: nameOf(sql), text: sql, values: [...values] })).rows as Row[],
        run: (sql) => runAll(client, sql),
        markBroken: () => {
          isBroken = true
        },
      })
    } catch (error) {
      isBroken ||= isConnectionLoss(error)
      throw error
    } finally {
      client.release(isBroken)
    }
  }
  return {
    borrow,
    send: (sql, values) => borrow(({ query }) => query(sql, values)),
    async persist(attempt) {
      const until = performance.now() + reconnectMs
      for (let pauseMs = 20; ; pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)) {
        try {
          return await attempt()
        } catch (error) {
          if (!isConnectionLoss(error) || isClosed() || performance.now() + pauseMs > until) throw error
          await sleep(pauseMs)
        }
      }
    },
  }
}

async function runAll<Row>(client: PoolClient, sql: string): Promise<readonly Row[]> {
  // Several statements have several results.
  const results = [(await client.query(sql)) as unknown as Result<Row> | Result<Row>[]].flat()
  return results.at(-1)?.rows ?? []
}

interface Result<Row> {
  readonly rows: readonly Row[]
}
