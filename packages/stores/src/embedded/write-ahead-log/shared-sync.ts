import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { toStoreError } from '../database/store-errors.ts'

const flush = promisify(fdatasync)

/** More at once would only wait for each other. */
const MOST_AT_ONCE = 2

/**
 * Puts a file that others write to safely on the disk, in the thread pool. Whoever waits at once shares one flush. Who
 * comes while one is under way gets another beside it, because that one may have missed what they wrote; and who comes
 * while there are two waits for the next.
 */
export interface SharedSync {
  /** Something was written since. */
  note(): void
  /** Undefined when there is nothing to wait for. */
  wait(): Promise<void> | undefined
  /** Flushes at once, and makes the caller wait for the disk. */
  flushNow(): void
  /** The size of the file. */
  bytes(): number
  /** Everything that was ever waited for has settled. */
  close(): Promise<void>
}

export function createSharedSync(path: string, sync: (file: number) => Promise<void> = flush): SharedSync {
  // Opened for writing, because Windows flushes no other.
  const file = openSync(path, 'r+')
  let written = 0
  let safe = 0
  /** The newest flush, and what it covers. */
  let latest: { readonly upTo: number; readonly done: Promise<void> } | undefined
  let next: PromiseWithResolvers<void> | undefined
  const underWay = new Set<Promise<void>>()

  function start(): Promise<void> {
    const upTo = written
    const done = sync(file).then(
      () => {
        safe = Math.max(safe, upTo)
      },
      (error: unknown) => {
        throw toStoreError(error)
      },
    )
    latest = { upTo, done }
    underWay.add(done)
    const end = () => {
      underWay.delete(done)
      const waiting = next
      next = undefined
      if (waiting) start().then(waiting.resolve, waiting.reject)
    }
    done.then(end, end)
    return done
  }

  return {
    note() {
      written++
    },
    wait() {
      if (safe === written) return undefined
      if (latest && latest.upTo === written && underWay.has(latest.done)) return latest.done
      if (underWay.size < MOST_AT_ONCE) return start()
      next ??= Promise.withResolvers()
      return next.promise
    },
    flushNow: () => fdatasyncSync(file),
    bytes: () => fstatSync(file).size,
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay)
      closeSync(file)
    },
  }
}
