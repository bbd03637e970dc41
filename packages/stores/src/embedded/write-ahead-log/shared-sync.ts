import { closeSync, fdatasync, fdatasyncSync, fstatSync, openSync } from 'node:fs'
import { promisify } from 'node:util'
import { createSharedFlush } from '../../shared/shared-flush.ts'
import type { SharedFlush } from '../../shared/shared-flush.ts'
import { toStoreError } from '../database/store-errors.ts'

const flushFile = promisify(fdatasync)

/** Flushes a file that others write to, in the thread pool. Callers share flushes. */
export interface SharedSync extends Pick<SharedFlush, 'note' | 'wait'> {
  /** Flushes at once, and makes the caller wait for the disk. */
  flushNow(): void
  /** The size of the file. */
  bytes(): number
  /** Everything that was ever waited for has settled. */
  close(): Promise<void>
}

export function createSharedSync(
  path: string,
  sync: (file: number) => Promise<void> = flushFile,
): SharedSync {
  // Opened for writing, because Windows flushes no other.
  const file = openSync(path, 'r+')
  const flush = createSharedFlush(() =>
    sync(file).catch((error: unknown) => {
      throw toStoreError(error)
    }),
  )
  return {
    note: () => flush.note(),
    wait: () => flush.wait(),
    flushNow: () => fdatasyncSync(file),
    bytes: () => fstatSync(file).size,
    async close() {
      await flush.settle()
      closeSync(file)
    },
  }
}
