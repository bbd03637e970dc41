import type { Database } from '@capstan/stores/postgres'

/** A thread with something to do, and its user. */
interface ThreadWithWork {
  readonly id: string
  readonly userId: string
}

/**
 * Threads with something to do: a command that has waited for a moment, a turn that is running, a message that is queued, or
 * a turn whose approval was answered or whose sign-in was settled. Those that a node is working on are among them.
 */
export async function findThreadsWithWork(database: Database): Promise<readonly ThreadWithWork[]> {
  const rows = await database.read<{ id: string; user_id: string }>(WITH_WORK)
  return rows.map(({ id, user_id: userId }) => ({ id, userId }))
}

const WITH_WORK = `
SELECT thread AS id, user_id FROM commands
WHERE answered_at IS NULL AND created_at < now() - interval '1 second'
UNION
SELECT threads.id, threads.user_id FROM runs JOIN threads ON threads.no = runs.thread
WHERE runs.depth = 0 AND runs.status = 'running'
UNION
SELECT threads.id, threads.user_id FROM queue JOIN threads ON threads.no = queue.thread
WHERE NOT EXISTS (SELECT FROM runs WHERE runs.thread = threads.no AND depth = 0 AND status = 'waiting')
UNION
SELECT threads.id, threads.user_id FROM runs AS turn JOIN runs ON runs.root = turn.id
JOIN approvals ON runs.waits_for = 'approval ' || approvals.id JOIN threads ON threads.no = turn.thread
WHERE turn.depth = 0 AND turn.status = 'waiting' AND approvals.decision IS NOT NULL
UNION
SELECT threads.id, threads.user_id FROM runs AS turn JOIN runs ON runs.root = turn.id
JOIN connections ON runs.waits_for = 'sign-in ' || connections.id JOIN threads ON threads.no = turn.thread
WHERE turn.depth = 0 AND turn.status = 'waiting' AND connections.status <> 'pending'
`
