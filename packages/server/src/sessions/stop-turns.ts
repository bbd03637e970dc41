import type { Threads } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'

/** Stops every running and parked turn of a user. */
export async function stopTurns(store: Store, threads: Threads, userId: string): Promise<void> {
  for (const { threadId } of await store.runs.unfinished()) {
    const thread = await store.threads.get(threadId)
    if (thread?.userId === userId) (await threads.open(threadId)).stop()
  }
}
