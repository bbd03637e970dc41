import { closeSync, fdatasync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { toStoreError } from './store-errors.ts'

const flush = promisify(fdatasync)

/**
 * Puts a file that others write to safely on the disk, in the thread pool. Whoever waits at once shares one flush; who
 * comes while one is under way waits for the next, because the one under way may have missed what they wrote.
 */
export interface SharedSync {
  /** Something was written since. */
  note(): void
  /** Undefined when there is nothing to wait for. */
  wait(): Promise<void> | undefined
  /** Everything that was ever waited for has settled. */
  close(): Promise<void>
}

export function createSharedSync(path: string, sync: (file: number) => Promise<void> = flush): SharedSync {
  // Opened for writing, because Windows flushes no other.
  const file = openSync(path, 'r+')
  let written = 0
  let safe = 0
  let next: PromiseWithResolvers<void> | undefined
  let rounds: Promise<void> | undefined

  async function run(): Promise<void> {
    while (next) {
      const round = next
      next = undefined
      const upTo = written
      try {
        await sync(file)
        safe = upTo
        round.resolve()
      } catch (error) {
        round.reject(toStoreError(error))
      }
    }
    rounds = undefined
  }
  return {
    note() {
      written++
    },
    wait() {
      if (safe === written) return undefined
      next ??= Promise.withResolvers()
      const { promise } = next
      rounds ??= run()
      return promise
    },
    async close() {
      await rounds
      closeSync(file)
    },
  }
}
