import type { Store } from '@capstan/harness/stores'

/** How long a measurement counts. Within it, what is sent is added. */
const FRESH_MS = 60_000

/** A conversation and what it takes up. */
export interface StoredThread {
  readonly title: string
  readonly bytes: number
}

/** How much each user has stored: conversations, uploads and long outputs. */
export interface StoredBytes {
  /** As last measured, at most a minute ago, with what was noted since. */
  of(userId: string): Promise<number>
  /** Measures now. The largest comes first. */
  measure(userId: string): Promise<readonly StoredThread[]>
  /** Counts something that is about to be stored. */
  note(userId: string, bytes: number): void
}

export function createStoredBytes(store: Store, now: () => number): StoredBytes {
  const measured = new Map<string, { readonly at: number; bytes: number }>()

  async function measure(userId: string): Promise<readonly StoredThread[]> {
    const threads: StoredThread[] = []
    for (const archived of [false, true])
      for (const { id, title } of await store.threads.list({ userId, archived }))
        threads.push({ title, bytes: await store.threads.bytesOf(id) })
    measured.set(userId, { at: now(), bytes: threads.reduce((sum, { bytes }) => sum + bytes, 0) })
    return threads.toSorted((one, other) => other.bytes - one.bytes)
  }

  return {
    async of(userId) {
      const known = measured.get(userId)
      if (known && known.at > now() - FRESH_MS) return known.bytes
      return (await measure(userId)).reduce((sum, { bytes }) => sum + bytes, 0)
    },
    measure,
    note(userId, bytes) {
      const known = measured.get(userId)
      if (known) known.bytes += bytes
    },
  }
}
