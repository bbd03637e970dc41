import type { ThreadId } from '@capstan/protocol'
import type { ThreadEntry, ThreadLog } from './thread-log.ts'

/** Keeps threads as long as the process lives. */
export function createMemoryThreadLog(): ThreadLog {
  const threads = new Map<ThreadId, ThreadEntry[]>()
  return {
    append(threadId, entry) {
      const entries = threads.get(threadId)
      if (entries) entries.push(entry)
      else threads.set(threadId, [entry])
    },
    read: (threadId) => threads.get(threadId) ?? [],
  }
}
