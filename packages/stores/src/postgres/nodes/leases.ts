import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { StoreError } from '@capstan/harness'
import type { Locks } from '@capstan/harness/stores'
import { createMemoryLocks } from '@capstan/harness/stores'
import type { Database } from '../database/database.ts'

/** A node that died or was frozen holds a lock for so long. */
const LEASE_MS = 10_000
const POLL_MS = 50

/**
 * Locks among all nodes, as rows that are renewed while the work lasts. No connection is held meanwhile. The time is that of
 * the database.
 */
export function createLeases(database: Database, nodeId: string, leaseMs = LEASE_MS): Locks {
  // Callers of this node queue here, so that only one of them asks the database.
  const local = createMemoryLocks()

  async function take(name: string, holder: string, until: number): Promise<void> {
    for (;;) {
      const taken = await database.writeLazily(TAKE, [name, holder, leaseMs])
      if (taken.length > 0) return
      if (performance.now() >= until)
        throw new StoreError('locked', 'Another node is at work on this. Try again in a moment.')
      await sleep(POLL_MS * (0.5 + Math.random()))
    }
  }

  async function workUnderLease<Value>(name: string, work: () => Promise<Value>, until: number) {
    const holder = `${nodeId} ${randomUUID()}`
    await take(name, holder, until)
    const renew = () => void database.writeLazily(RENEW, [name, holder, leaseMs]).catch(() => {})
    const timer = setInterval(renew, leaseMs / 3)
    try {
      return await work()
    } finally {
      clearInterval(timer)
      // If it cannot be freed, it ends by itself.
      await database.writeLazily(FREE, [name, holder]).catch(() => {})
    }
  }

  return {
    withLock(name, work, { limitMs }) {
      const until = performance.now() + limitMs
      return local.withLock(name, () => workUnderLease(name, work, until), { limitMs })
    },
  }
}

const UNTIL = `clock_timestamp() + $3 * interval '1 millisecond'`

/** Repeated by the same holder, it changes nothing more. */
const TAKE = `INSERT INTO leases (name, holder, until_at) VALUES ($1, $2, ${UNTIL})
  ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until_at = excluded.until_at
  WHERE leases.until_at < clock_timestamp() OR leases.holder = excluded.holder RETURNING name`

const RENEW = `UPDATE leases SET until_at = ${UNTIL} WHERE name = $1 AND holder = $2`

const FREE = 'DELETE FROM leases WHERE name = $1 AND holder = $2'
