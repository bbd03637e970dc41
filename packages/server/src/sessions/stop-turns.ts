import type { Store } from '@capstan/harness/stores'
import type { ThreadActions } from './thread-actions.ts'

/** Stops every running and parked turn of a user. */
export async function stopTurns(store: Store, actions: ThreadActions, userId: string): Promise<void> {
  for (const { threadId } of await store.runs.unfinished()) {
    const thread = await store.threads.get(threadId)
    if (thread?.userId === userId) await actions.stop(threadId)
  }
}
