import type { MemoryItem, UserMemory } from '@capstan/harness/stores'

/** An item that a sync is about to store. */
export interface SeenItem {
  readonly item: MemoryItem
  /** False: it was there before, in another version. */
  readonly isNew: boolean
}

/** Told of items before they are stored. After a kill it may be told of the same ones again. */
export type ReportItems = (items: readonly SeenItem[]) => Promise<void>

/** What a sync is told before it stores anything. */
export interface WatchOptions {
  readonly userId: string
  /** Rejects when the run has to end: nothing is stored then. Answers with the items that stay out. */
  readonly check: () => Promise<ReadonlySet<string>>
  readonly report: ReportItems
}

/**
 * A memory that stores only for as long as the sync may. Items are reported before they are stored: after a kill in between
 * they are reported again, and none is lost.
 */
export function watchMemory(memory: UserMemory, { userId, check, report }: WatchOptions): UserMemory {
  async function reportChanged(items: readonly MemoryItem[]): Promise<void> {
    const known = await Promise.all(items.map(async ({ id }) => memory.get(userId, id)))
    const seen = items.flatMap((item, index): readonly SeenItem[] => {
      const before = known[index]
      if (!before) return [{ item, isNew: true }]
      return isSame(before, item) ? [] : [{ item, isNew: false }]
    })
    if (seen.length > 0) await report(seen)
  }
  return {
    facts: memory.facts,
    vectors: memory.vectors,
    async put(user, items) {
      const before = await check()
      await reportChanged(items.filter(({ id }) => !before.has(id)))
      const leftOut = await check()
      return memory.put(
        user,
        items.filter(({ id }) => !leftOut.has(id)),
      )
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

const isSame = (one: MemoryItem, other: MemoryItem): boolean =>
  other.version === undefined
    ? one.title === other.title && one.text === other.text
    : one.version === other.version
