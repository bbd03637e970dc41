import { StoreError } from '@capstan/harness'
import type { Connection } from './connection.ts'
import { createJournal } from './journal.ts'
import { createRunRows } from './run-rows.ts'
import { createThreadRows } from './thread-rows.ts'

/** Looks through the whole file. Throws a `StoreError` of kind `damaged`, or what SQLite says of it. */
export function checkFile(connection: Connection): void {
  const [problem] = connection.db.prepare('PRAGMA quick_check(1)').all() as { quick_check?: string }[]
  if (problem?.quick_check !== 'ok') {
    throw new StoreError('damaged', `The store is damaged: ${problem?.quick_check ?? 'it cannot be read'}.`)
  }
  const journal = createJournal(connection)
  journal.check()
  createThreadRows(connection, journal).check()
  createRunRows(connection).check()
}
