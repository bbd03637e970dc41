import type { Store } from '@capstan/harness/stores'
import type { ApprovalDecision, RunRow, ThreadId, ThreadSummary } from '@capstan/protocol'

/** A thread with its activity; undefined for one of another user. `isHeld`: no turn of this user may start. */
export async function summarise(
  store: Store,
  userId: string,
  threadId: string,
  isHeld: boolean,
): Promise<ThreadSummary | undefined> {
  const thread = await store.threads.get(threadId as ThreadId)
  if (thread?.userId !== userId) return undefined
  const [newest] = await store.runs.list({ userId, threadId: thread.id, depth: 0, limit: 1 })
  if (newest?.status === 'waiting' && isHeld) return { ...thread, ...(await describeHeld(store, newest)) }
  const isActive = newest?.status === 'running' || newest?.status === 'waiting'
  return isActive ? { ...thread, activity: newest.status } : thread
}

/** What a parked turn waits for: a person, or the release. */
async function describeHeld(
  { runs, approvals, connections }: Store,
  run: RunRow,
): Promise<Pick<ThreadSummary, 'activity' | 'answered'>> {
  const answered: Record<string, ApprovalDecision> = {}
  let isSignedIn = false
  for (const { waitsFor } of await runs.tree(run.id)) {
    if (!waitsFor) continue
    const { kind, id } = waitsFor
    const decision = kind === 'approval' ? (await approvals.get(id))?.decision : undefined
    if (decision) answered[id] = decision
    if (kind === 'sign-in') isSignedIn ||= (await connections.get(id))?.status !== 'pending'
  }
  if (Object.keys(answered).length > 0) return { activity: 'held', answered }
  return { activity: isSignedIn ? 'held' : 'waiting' }
}
