import type { Store } from '@capstan/harness/stores'
import type { ThreadId, ThreadSummary } from '@capstan/protocol'

/** A thread with its activity; undefined for one of another user. */
export async function summarise(
  store: Store,
  userId: string,
  threadId: string,
): Promise<ThreadSummary | undefined> {
  const thread = await store.threads.get(threadId as ThreadId)
  if (thread?.userId !== userId) return undefined
  const [newest] = await store.runs.list({ userId, threadId: thread.id, depth: 0, limit: 1 })
  const isActive = newest?.status === 'running' || newest?.status === 'waiting'
  return isActive ? { ...thread, activity: newest.status } : thread
}
