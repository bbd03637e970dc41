import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { toStoreError } from '../database/store-errors.ts'

const flush = promisify(fdatasync)

/** More flushes at the same time would only wait for each other. */
const MOST_AT_ONCE = 2

/**
 * Flushes a file that others write to, in the thread pool. Callers that wait for the same writes share one flush. A
 * caller that comes during a flush gets another one, because the first may have missed its writes; a caller that comes
 * while two are running waits for the next.
 */
export interface SharedSync {
  /** Call after each write. */
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
