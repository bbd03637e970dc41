import { openConnection } from '../database/connection.ts'
import type { Connection } from '../database/connection.ts'
import { createSharedSync } from './shared-sync.ts'
import type { SharedSync } from './shared-sync.ts'

/**
 * Copies what was committed from the write-ahead log into the file, and keeps the log short. Flushing a file to disk
 * takes milliseconds, so both files are flushed in the thread pool, in the order SQLite would use: first the log, then
 * the pages are copied, then the file. A read transaction stays open meanwhile. It keeps SQLite from copying pages that
 * were not flushed, and from overwriting the log before the file is safe.
 */
export interface Checkpointer {
  /** Call after each commit, with its approximate size in bytes. */
  note(bytes: number): void
  /** Finishes the round that is running. */
  stop(): Promise<void>
  /** Closes the file. Close SQLite first: closing any handle of a file drops SQLite's locks on it. */
  close(): Promise<void>
}

const MEGABYTE = 2 ** 20
/** A round starts when about this much was committed since the last one. */
const ROUND_BYTES = 4 * MEGABYTE
/** The size of the log is looked up when about this much was committed since the last look. */
const LOOK_BYTES = MEGABYTE
// SQLite overwrites the log from its start once all of it was copied and nobody reads it. The commit that starts over
// waits for the disk, so this is done seldom: only for a long log, and after a round in which nothing was committed.
const LONG_LOG_BYTES = 24 * MEGABYTE
const MAX_ROUNDS = 4
/** The log is cut to this size when SQLite starts it over. */
export const KEPT_LOG_BYTES = 32 * MEGABYTE
/** Commits without a pause leave no such round: now one of them waits until all of the log was copied. */
const MAX_LOG_BYTES = 40 * MEGABYTE
/** The bytes a page takes in the log. */
const FRAME_BYTES = 4096 + 24

export function createCheckpointer(connection: Connection, path: string, log: SharedSync): Checkpointer {
  if (log.bytes() >= LONG_LOG_BYTES) emptyLog(connection)
  const file = createSharedSync(path)
  const reader = openConnection(path, { isReadOnly: true })
  const checkpoint = connection.prepare<{ readonly log: number }>('PRAGMA wal_checkpoint(PASSIVE)')
  let committed = 0
  let copiedUpTo = 0
  let lookedAt = 0
  let running: Promise<void> | undefined
  let isStopped = false

  async function run(): Promise<void> {
    let logBytes = await copy()
    for (let round = 1; round < MAX_ROUNDS && logBytes >= LONG_LOG_BYTES; round++) logBytes = await copy()
    if (logBytes >= MAX_LOG_BYTES) copyNow()
  }

  /** One round. Answers with the size of what is still in use of the log. */
  async function copy(): Promise<number> {
    const upTo = committed
    release()
    reader.db.exec('BEGIN; SELECT page FROM progress')
    await log.wait()
    if (!reader.db.isTransaction) return 0
    const logBytes = copyPages()
    file.note()
    await file.wait()
    if (!reader.db.isTransaction) return 0
    copiedUpTo = upTo
    if (logBytes < LONG_LOG_BYTES || upTo !== committed) return logBytes
    release()
    return 0
  }

  /** Copies everything at once, which makes the caller wait for the disk. A round that is running ends without effect. */
  function copyNow(): void {
    // Pages that a running round has copied must be safe before the log may be overwritten.
    file.flushNow()
    release()
    checkpoint.get()
    copiedUpTo = committed
  }

  /** Rounds need turns of the event loop. A caller that never waits leaves none, and the log would grow without end. */
  function copyIfTooLong(): void {
    try {
      if (log.bytes() >= MAX_LOG_BYTES + ROUND_BYTES) copyNow()
    } catch {
      // The commit before this one is safe. The next look tries again.
    }
  }

  /** From here on SQLite may start the log over, if all of it was copied. */
  function release(): void {
    if (reader.db.isTransaction) reader.db.exec('ROLLBACK')
  }

  function copyPages(): number {
    connection.db.exec('PRAGMA synchronous = OFF')
    try {
      return (checkpoint.get()?.log ?? 0) * FRAME_BYTES
    } finally {
      connection.db.exec('PRAGMA synchronous = NORMAL')
    }
  }

  function startIfDue(): void {
    if (running || isStopped || committed - copiedUpTo < ROUND_BYTES) return
    running = run().then(
      () => {
        running = undefined
        // Commits during a round may be the last ones for a while.
        startIfDue()
      },
      () => {
        running = undefined
        // The next commit tries again.
        release()
      },
    )
  }

  return {
    note(bytes) {
      committed += bytes
      if (committed - lookedAt >= LOOK_BYTES) {
        lookedAt = committed
        copyIfTooLong()
      }
      startIfDue()
    },
    async stop() {
      isStopped = true
      await running
      reader.close()
    },
    close: () => file.close(),
  }
}

/** For a long log that a killed process or an earlier version left: nothing else happens yet, so this may wait. */
function emptyLog({ db }: Connection): void {
  try {
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } catch {
    // A full disk, for example. The store opens all the same, and the log is copied when there is space.
  }
}
