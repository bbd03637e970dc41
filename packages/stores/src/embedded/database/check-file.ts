import { StoreError } from '@capstan/harness'
import { refuseDamage } from './checksum.ts'
import { openConnection } from './connection.ts'
import type { Connection } from './connection.ts'
import { createConnectionRows } from '../connections/connection-rows.ts'
import { createJournal } from '../ledger/journal.ts'
import { createKnownActionRows } from '../connections/known-action-rows.ts'
import { migrate } from '../migrations/migrations.ts'
import { createRunRows } from '../runs/run-rows.ts'
import { createSignInFlowRows } from '../connections/sign-in-flow-rows.ts'
import { createThreadRows } from '../threads/thread-rows.ts'
import { createUsageRows } from '../runs/usage-rows.ts'

// All of it is read, which takes a second or two for 200 MB; SQLite's own check takes a fifth of that. So a large file
// whose owner was killed gets the short one, one that was changed outside of the store gets this one, and one that was
// closed in good order is checked once a week. Every row is checked again whenever it is read.
const CHECK_EVERY_MS = 7 * 24 * 60 * 60 * 1000

export function isCheckDue({ db }: Connection, now: number): boolean {
  const last = db.prepare(`SELECT page AS at FROM progress WHERE name = 'checked'`).get() as
    | { readonly at: number }
    | undefined
  return last === undefined || Math.abs(now - last.at) >= CHECK_EVERY_MS
}

export function noteChecked({ db }: Connection, now: number): void {
  db.prepare(`INSERT OR REPLACE INTO progress VALUES ('checked', ?)`).run(Math.trunc(now))
}

/**
 * Checks the whole file of this version. Throws a `StoreError` of kind `damaged`, or the error of SQLite. Not
 * the quick check: the bulk of the file has no index, so comparing the few there are costs next to nothing.
 */
export function checkFile(connection: Connection): void {
  checkStructure(connection)
  checkSchema(connection)
  const journal = createJournal(connection)
  journal.check()
  const threads = createThreadRows(connection, journal)
  threads.check()
  createRunRows(connection).check()
  createUsageRows(connection, journal, threads).check()
  createConnectionRows(connection).check()
  createSignInFlowRows(connection).check()
  createKnownActionRows(connection).check()
}

/** SQLite's own check, for a file of any version. */
export function checkStructure({ db }: Connection): void {
  const [found] = db.prepare('PRAGMA integrity_check(1)').all() as { readonly integrity_check?: string }[]
  if (found?.integrity_check === 'ok') return
  throw new StoreError('damaged', `The store is damaged: ${found?.integrity_check ?? 'it cannot be read'}.`)
}

/** SQLite does not notice a flipped letter in the name of a column. */
function checkSchema(connection: Connection): void {
  const fresh = openConnection(':memory:')
  migrate(fresh)
  refuseDamage(readSchema(connection) === readSchema(fresh), 'the description of its tables')
  fresh.close()
}

function readSchema({ db }: Connection): string {
  return JSON.stringify(db.prepare('SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY name').all())
}
