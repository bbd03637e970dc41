import { openConnection } from '../database/connection.ts'
import type { Connection } from '../database/connection.ts'
import { createSharedSync } from './shared-sync.ts'
import type { SharedSync } from './shared-sync.ts'

/**
 * Moves what was committed from the write-ahead log into the file itself, without making a commit wait for the disk.
 * SQLite would flush both files inside of a commit; here both are flushed in the thread pool, in the same order: the
 * log, then the pages are copied, then the file. A read transaction that stands still meanwhile keeps SQLite from
 * copying what was not flushed, and from writing over the log before the file is safe.
 */
export interface Checkpointer {
  /** About so many bytes were added to the log. */
  note(bytes: number): void
  /** Finishes what is under way. */
  stop(): Promise<void>
  /** Lets go of the file, which SQLite must have closed before: closing any handle of a file drops its locks. */
  close(): Promise<void>
}

const ENOUGH_BYTES = 4 * 2 ** 20
// Beginning the log anew makes the next commit wait for the disk, so it is done seldom: after a round during which
// nothing was committed. Somewhere in a few rounds there is one.
const LONG_LOG_BYTES = 32 * 2 ** 20
const MAX_ROUNDS = 4
// A log this long is only seen when commits never pause; then one of them waits longer.
const TOO_LONG_LOG_BYTES = 96 * 2 ** 20

export function createCheckpointer(connection: Connection, path: string, log: SharedSync): Checkpointer {
  const file = createSharedSync(path)
  const reader = openConnection(path, { isReadOnly: true })
  let written = 0
  let movedUpTo = 0
  let inLog = 0
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    await move()
    for (let round = 1; round < MAX_ROUNDS && inLog >= LONG_LOG_BYTES; round++) await move()
    if (inLog < TOO_LONG_LOG_BYTES) return
    release()
    connection.db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    inLog = 0
  }

  async function move(): Promise<void> {
    const upTo = written
    release()
    reader.db.exec('BEGIN; SELECT page FROM progress')
    await log.wait()
    copyPages()
    file.note()
    await file.wait()
    movedUpTo = upTo
    if (inLog < LONG_LOG_BYTES || upTo !== written) return
    release()
    inLog = 0
  }

  /** From here on SQLite may begin the log anew, once all of it was moved. */
  function release(): void {
    if (reader.db.isTransaction) reader.db.exec('ROLLBACK')
  }

  function copyPages(): void {
    connection.db.exec('PRAGMA synchronous = OFF')
    try {
      connection.db.exec('PRAGMA wal_checkpoint(PASSIVE)')
    } finally {
      connection.db.exec('PRAGMA synchronous = NORMAL')
    }
  }

  return {
    note(bytes) {
      written += bytes
      inLog += bytes
      if (running || written - movedUpTo < ENOUGH_BYTES) return
      running = run()
        // The log only grows meanwhile; the next one tries again.
        .catch(() => {})
        .finally(() => {
          running = undefined
        })
    },
    async stop() {
      await running
      reader.close()
    },
    close: () => file.close(),
  }
}
