import type { Session } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import type { Database } from '@capstan/stores/postgres'
import type { Attempts } from './thread-worker.ts'

/** A turn that was interrupted this often is not tried again. */
const MAX_ATTEMPTS = 5

/** Counts how often nodes have begun with an interrupted turn, and ends one that ends its nodes. */
export function createAttempts(
  store: Store,
  database: Database,
  giveUp: (session: Session) => Promise<unknown>,
): Attempts {
  return {
    async begin(threadId, userId, session) {
      const [newest] = await store.runs.list({ userId, threadId, depth: 0, limit: 1 })
      if (newest?.status !== 'running') return
      const [row] = await database.writeLazily<{ attempts: number }>(
        `INSERT INTO thread_attempts (thread, run, attempts) VALUES ($1, $2, 1)
        ON CONFLICT (thread) DO UPDATE SET run = $2,
          attempts = CASE WHEN thread_attempts.run = $2 THEN thread_attempts.attempts + 1 ELSE 1 END
        RETURNING attempts`,
        [threadId, newest.id],
      )
      if (row && row.attempts > MAX_ATTEMPTS) await giveUp(session)
    },
    async forget(threadId) {
      await database.writeLazily('DELETE FROM thread_attempts WHERE thread = $1', [threadId])
    },
  }
}
