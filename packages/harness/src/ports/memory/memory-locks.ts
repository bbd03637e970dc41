import { StoreError } from '../../turn/errors.ts'
import type { Locks } from '../locks.ts'

/** Locks among the callers of this process, who get them in the order they asked. */
export function createMemoryLocks(): Locks {
  const last = new Map<string, Promise<void>>()
  return {
    async withLock(name, work, { limitMs }) {
      const before = last.get(name)
      const { promise: mine, resolve: free } = Promise.withResolvers<void>()
      // Whoever comes next also waits for those before, in case this one gives up.
      const both = before ? before.then(() => mine) : mine
      last.set(name, both)
      try {
        if (before) await within(limitMs, before)
        return await work()
      } finally {
        free()
        if (last.get(name) === both) last.delete(name)
      }
    },
  }
}

async function within(limitMs: number, before: Promise<void>): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(reject, limitMs, new StoreError('locked', 'This took too long. Try again.'))
  await Promise.race([before, late]).finally(() => clearTimeout(timer))
}
