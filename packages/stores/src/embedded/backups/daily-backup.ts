import type { Connection } from '../database/connection.ts'
import type { Backups } from './backups.ts'

const EVERY_MS = 24 * 60 * 60 * 1000
const LOOK_EVERY_MS = 60 * 60 * 1000

/**
 * Takes a backup when the newest is a day old: while the store is open, and when it is closed. Never throws: the store
 * works without a new backup.
 */
export function createDailyBackup(
  connection: Connection,
  backups: Backups,
  { now, isWorthIt }: { readonly now: () => number; readonly isWorthIt: () => boolean },
): { close(): Promise<void> } {
  let running: Promise<void> | undefined
  const takeIfDue = (): Promise<void> =>
    (running ??= take()
      .catch(() => {})
      .finally(() => {
        running = undefined
      }))
  const timer = setInterval(() => void takeIfDue(), LOOK_EVERY_MS).unref()

  async function take(): Promise<void> {
    if (!isWorthIt()) return
    const newest = backups.newestAt()
    // A clock that was set back must not stop backups.
    if (newest === undefined || Math.abs(now() - newest) >= EVERY_MS) await backups.take(connection)
  }
  return {
    async close() {
      clearInterval(timer)
      await takeIfDue()
    },
  }
}
