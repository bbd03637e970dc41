import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '@capstan/harness'
import { Client } from 'pg'
import { keepConnected } from './keep-connected.ts'

/**
 * Shows that a node is alive: a lock on a connection of its own, which PostgreSQL releases when the process dies, and a time
 * in its row, which stands still when the process is frozen.
 */
export interface NodeLock {
  /** Notes that this node is alive. False while it has no connection. */
  beat(): Promise<boolean>
  /** Runs the work while no other node runs work of this name. */
  alone<Value>(name: string, work: () => Promise<Value>): Promise<Value>
  /**
   * Runs the work while nobody else can be that node. False when the node is alive. One that has shown no sign of life
   * for `frozenMs` is cut off from the database first.
   */
  whileDead(nodeId: string, frozenMs: number, work: () => Promise<void>): Promise<boolean>
  close(): Promise<void>
}

interface NodeLockOptions {
  readonly url: string
  readonly nodeId: string
  readonly role: string
  readonly version: string
  /** Called when the lock was lost and taken again: another node may have taken over meanwhile. */
  readonly onRegained: () => void
  readonly onProblem: (error: unknown) => void
}

/** Takes the lock of this node. Throws a `StoreError` of kind `locked` when a node with this name is running. */
export async function openNodeLock(options: NodeLockOptions): Promise<NodeLock> {
  const { url, nodeId, role, version, onRegained, onProblem } = options
  let isFirst = true
  const connection = keepConnected({
    create: () => new Client({ connectionString: url, keepAlive: true, application_name: 'capstan node' }),
    async prepare(client) {
      // The session of the last connection may be about to end, or another node may be taking over.
      await client.query(`SET lock_timeout = '5s'`)
      await client.query(`SELECT pg_advisory_lock(${KEY})`, [nodeId]).catch((error: unknown) => {
        if (!isFirst) throw error
        throw new StoreError(
          'locked',
          `Another node with the name ${nodeId} is running. Give each its own.`,
          {
            cause: error,
          },
        )
      })
      await client.query(BEAT, [nodeId, role, version])
      isFirst = false
    },
    onReconnected: onRegained,
    onProblem,
  })
  await connection.ready
  // One after the other: a connection carries one request at a time.
  let last: Promise<unknown> = Promise.resolve()
  function inTurn<Value>(work: (client: Client | undefined) => Promise<Value>): Promise<Value> {
    const next = last.then(() => work(connection.current))
    last = next.catch(() => {})
    return next
  }

  return {
    beat: () =>
      inTurn(async (client) => {
        await client?.query(BEAT, [nodeId, role, version])
        return client !== undefined
      }),
    alone: (name, work) =>
      inTurn(async (client) => {
        if (!client) throw new StoreError('io', 'The database cannot be reached.')
        // Tried again and again: a statement that waits would block what makes indexes beside running transactions.
        while (!(await tryLock(client, NAME_KEY, name))) await sleep(100)
        try {
          return await work()
        } finally {
          await client.query(`SELECT pg_advisory_unlock(${NAME_KEY})`, [name])
        }
      }),
    whileDead: (otherId, frozenMs, work) =>
      inTurn(async (client) => {
        if (!client) return false
        if (!(await tryLock(client, KEY, otherId))) {
          await client.query(CUT_OFF, [otherId, frozenMs / 1000])
          return false
        }
        try {
          await work()
          await client.query('DELETE FROM nodes WHERE id = $1', [otherId])
          return true
        } finally {
          await client.query(`SELECT pg_advisory_unlock(${KEY})`, [otherId])
        }
      }),
    async close() {
      await inTurn(
        async (client) => void (await client?.query('DELETE FROM nodes WHERE id = $1', [nodeId])),
      ).catch(() => {})
      await connection.close()
    },
  }
}

async function tryLock(client: Client, key: string, name: string): Promise<boolean> {
  const { rows } = await client.query<{ taken: boolean }>(`SELECT pg_try_advisory_lock(${key}) AS taken`, [
    name,
  ])
  return rows[0]?.taken === true
}

const KEY = `hashtextextended('capstan node ' || current_schema() || ' ' || $1, 0)`

const NAME_KEY = `hashtextextended('capstan work ' || current_schema() || ' ' || $1, 0)`

const BEAT = `INSERT INTO nodes (id, role, version) VALUES ($1, $2, $3)
  ON CONFLICT (id) DO UPDATE SET seen_at = now(), role = $2, version = $3`

/** Ends the session that holds the lock of a node which has not been seen for some seconds. */
const CUT_OFF = `SELECT pg_terminate_backend(pid) FROM pg_locks, (SELECT ${KEY} AS key) AS wanted
  WHERE locktype = 'advisory' AND granted AND objsubid = 1
    AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND classid::bigint = (key >> 32) & 4294967295 AND objid::bigint = key & 4294967295
    AND EXISTS (SELECT FROM nodes WHERE id = $1 AND seen_at < now() - make_interval(secs => $2))`
