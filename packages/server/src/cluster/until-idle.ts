import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@capstan/stores/postgres'
import { ApiError } from '../http/api-error.ts'

const LOOK_MS = 50
/** A frozen node is cut off before. */
const MAX_MS = 25_000

/** Settles when no turn of these users, or of anybody, is running on any node. Rejects when one goes on. */
export async function untilIdle(database: Database, userIds: readonly string[] | undefined): Promise<void> {
  const until = performance.now() + MAX_MS
  while (await isRunning(database, userIds)) {
    if (performance.now() > until) throw notYet()
    await sleep(LOOK_MS)
  }
}

async function isRunning(database: Database, userIds: readonly string[] | undefined): Promise<boolean> {
  const rows = await database.read(RUNNING, [userIds ?? null])
  return rows.length > 0
}

// An interrupted turn that no node has does not run: nobody resumes it during a hold.
const RUNNING = `SELECT FROM runs JOIN threads ON threads.no = runs.thread
WHERE runs.depth = 0 AND runs.status = 'running' AND threads.owner IS NOT NULL
  AND ($1::text[] IS NULL OR runs.user_id = ANY($1)) LIMIT 1`

const notYet = (): ApiError =>
  new ApiError(
    'unavailable',
    'No turn starts any more, but one is still running on a node that does not answer. Look again in a moment.',
    { retryAfterMs: 5_000 },
  )
