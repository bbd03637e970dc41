import type { NodeLock } from '@capstan/stores/postgres'
import type { QueuedWork, TurnQueue } from './turn-queue.ts'

/** Without a sign of life for this long, a node counts as frozen. It shows one every two seconds. */
const FROZEN_MS = 15_000

/** Lets other nodes begin again with what dead and frozen ones had begun. Answers with how many threads moved. */
export async function takeOverDead(
  queued: readonly QueuedWork[],
  queue: TurnQueue,
  lock: NodeLock,
  nodeId: string,
): Promise<number> {
  const begun = new Map<string, string[]>()
  for (const { id, nodeId: owner } of queued) {
    if (owner === undefined || owner === nodeId) continue
    const ids = begun.get(owner) ?? []
    begun.set(owner, ids)
    ids.push(id)
  }
  let moved = 0
  for (const [owner, ids] of begun) {
    const isDead = await lock.whileDead(owner, FROZEN_MS, () => queue.takeOver(ids))
    if (isDead) moved += ids.length
  }
  return moved
}
