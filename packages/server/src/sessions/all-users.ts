import type { Threads } from '@capstan/harness'
import type { Integrations } from '@capstan/harness/integrations'
import type { Store } from '@capstan/harness/stores'
import type { Holds } from './holds.ts'

/** The threads of every user of an installation. */
export interface AllUsers {
  /** The same threads for the same user. */
  threadsOf(userId: string): Threads
  /** The users whose threads were opened. */
  known(): readonly string[]
  /** Holds and releases the threads of known users for whom the holds say something else than before. */
  applyHolds(before: Holds['of']): void
  /** Resumes the interrupted turns of every user. */
  resume(): Promise<void>
  stop(options: { readonly graceMs?: number }): Promise<void>
}

export function createAllUsers(options: {
  readonly store: Store
  readonly integrations: Integrations
  readonly createThreads: (userId: string) => Threads
  readonly holds: Holds
  readonly onProblem: (error: unknown) => void
}): AllUsers {
  const { store, integrations, createThreads, holds, onProblem } = options
  const users = new Map<string, Threads>()

  function threadsOf(userId: string): Threads {
    let threads = users.get(userId)
    if (!threads) {
      threads = createThreads(userId)
      if (holds.of(userId)) void threads.hold() // nothing runs yet, so nothing is waited for
      users.set(userId, threads)
      // The first turn then finds the user's apps in memory.
      void integrations.prewarm(userId)
    }
    return threads
  }

  async function usersWithWork(): Promise<ReadonlySet<string>> {
    const found = new Set<string>()
    for (const { threadId } of await store.runs.unfinished()) {
      const thread = await store.threads.get(threadId)
      if (thread) found.add(thread.userId)
    }
    for (const { userId } of await store.threads.withQueued()) found.add(userId)
    return found
  }

  return {
    threadsOf,
    known: () => [...users.keys()],
    applyHolds(before) {
      for (const [userId, threads] of users) {
        const isHeld = holds.of(userId) !== undefined
        if (isHeld !== (before(userId) !== undefined))
          (isHeld ? threads.hold() : threads.release()).catch(onProblem)
      }
    },
    async resume() {
      for (const userId of await usersWithWork()) await threadsOf(userId).resume()
    },
    async stop(grace) {
      await Promise.all([...users.values()].map((threads) => threads.stop(grace)))
    },
  }
}
