import type { SyncAccount, SyncSource } from '@capstan/harness/memory'
import { toItemId } from '@capstan/harness/memory'
import type { MemoryItem, UserMemory } from '@capstan/harness/stores'

/** The most items that stay out of one account. After that the oldest may come back. */
export const MOST_LEFT_OUT = 2_000

/** A source without the items that a person has forgotten. `leftOut` answers with their ids in memory. */
export function withoutLeftOut(
  source: SyncSource,
  account: SyncAccount,
  leftOut: () => Promise<ReadonlySet<string>>,
): SyncSource {
  return {
    ...source,
    async page(cursor, signal) {
      const page = await source.page(cursor, signal)
      const out = await leftOut()
      if (out.size === 0) return page
      return { ...page, entries: page.entries.filter(({ id }) => !out.has(toItemId(account, id))) }
    },
  }
}

/** Memory as people and their tools use it: an item that they remove is noted first, so that no sync brings it back. */
export function noteRemoved(
  memory: UserMemory,
  note: (userId: string, items: readonly MemoryItem[]) => Promise<void>,
): UserMemory {
  return {
    ...memory,
    async remove(userId, ids) {
      const items = await Promise.all(ids.map(async (id) => memory.get(userId, id)))
      await note(
        userId,
        items.filter((item) => item !== undefined),
      )
      return memory.remove(userId, ids)
    },
  }
}
