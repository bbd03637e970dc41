import type { MemoryItem, UserMemory } from '@capstan/harness/stores'

/** What a sync is told before it stores anything. */
export interface WatchOptions {
  readonly userId: string
  /** Rejects when the run has to end: nothing is stored then. */
  readonly check: () => Promise<void>
  /** Absent on a first sync. */
  readonly onNewItems?: ((items: readonly MemoryItem[]) => Promise<void> | void) | undefined
}

/**
 * A memory that stores only for as long as the sync may. New items are announced before they are stored: after a kill in
 * between they are announced again, and none is lost.
 */
export function watchMemory(memory: UserMemory, { userId, check, onNewItems }: WatchOptions): UserMemory {
  async function announceNew(items: readonly MemoryItem[]): Promise<void> {
    if (!onNewItems) return
    const known = await Promise.all(items.map(async ({ id }) => memory.get(userId, id)))
    const added = items.filter((_, index) => known[index] === undefined)
    if (added.length > 0) await onNewItems(added)
  }
  return {
    facts: memory.facts,
    vectors: memory.vectors,
    async put(user, items) {
      await announceNew(items)
      await check()
      return memory.put(user, items)
    },
    get: (user, id) => memory.get(user, id),
    list: (user, query) => memory.list(user, query),
    sources: (user) => memory.sources(user),
    search: (user, query) => memory.search(user, query),
    async remove(user, ids) {
      await check()
      return memory.remove(user, ids)
    },
    removeAll: (user, source) => memory.removeAll(user, source),
  }
}
