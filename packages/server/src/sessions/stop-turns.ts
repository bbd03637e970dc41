import type { Store } from '@capstan/harness/stores'
import type { Nodes } from '../cluster/nodes.ts'

/** Stops every running and parked turn of a user, and those that are about to begin. */
export async function stopTurns(
  store: Store,
  nodes: Pick<Nodes, 'actionsOf' | 'refuseAllOf'>,
  userId: string,
): Promise<void> {
  await nodes.refuseAllOf(userId)
  for (const { threadId } of await store.runs.unfinished()) {
    const thread = await store.threads.get(threadId)
    if (thread?.userId === userId) await nodes.actionsOf(userId).stop(threadId)
  }
}
