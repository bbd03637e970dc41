import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import type { UnattendedOutcome } from './to-outcome.ts'
import { toOutcome } from './to-outcome.ts'

/** How the turn of a message stands, from the store. A thread of another user is `gone`. */
export async function readOutcome(
  store: Pick<Store, 'runs' | 'threads'>,
  userId: string,
  threadId: string,
  messageId: string,
): Promise<UnattendedOutcome> {
  const thread = await store.threads.get(threadId as ThreadId)
  if (thread?.userId !== userId) return { type: 'gone' }
  return toOutcome(await store.runs.findByMessage(thread.id, messageId))
}
