import type { ThreadId, ThreadSummary } from '@capstan/protocol'

/** Too short to be noticed. */
const HOLD_MS = 60

/** Collects the changed threads of each user for a moment and sends them together. */
export interface ThreadChanges {
  add(userId: string, thread: ThreadSummary): void
  /** Drops the pending change of a removed thread. */
  forget(userId: string, threadId: ThreadId): void
  close(): void
}

export function createThreadChanges(
  send: (userId: string, threads: readonly ThreadSummary[]) => void,
): ThreadChanges {
  const held = new Map<string, Map<ThreadId, ThreadSummary>>()
  let timer: NodeJS.Timeout | undefined

  function flush(): void {
    timer = undefined
    const due = [...held]
    held.clear()
    for (const [userId, threads] of due) if (threads.size > 0) send(userId, [...threads.values()])
  }

  return {
    add(userId, thread) {
      const own = held.get(userId) ?? new Map<ThreadId, ThreadSummary>()
      held.set(userId, own)
      own.delete(thread.id) // the newest last
      own.set(thread.id, thread)
      timer ??= setTimeout(flush, HOLD_MS)
    },
    forget: (userId, threadId) => void held.get(userId)?.delete(threadId),
    close() {
      clearTimeout(timer)
      held.clear()
    },
  }
}
