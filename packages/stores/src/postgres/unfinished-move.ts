import { StoreError } from '@capstan/harness'
import type { Database } from './database/database.ts'

// A database that is being filled must never look whole. The note is written before the first row, and removed once
// everything was compared.

export async function noteMove(database: Database, at: number): Promise<void> {
  await database.transaction((query) =>
    query(`INSERT INTO facts VALUES ('move', $1) ON CONFLICT DO NOTHING`, [String(at)]),
  )
}

export async function endMove(database: Database): Promise<void> {
  await database.transaction((query) => query(`DELETE FROM facts WHERE name = 'move'`))
}

export async function isMoveUnfinished(database: Database): Promise<boolean> {
  return (await database.read(`SELECT FROM facts WHERE name = 'move'`)).length > 0
}

/** Throws a `StoreError` of kind `invalid` for a database that a move has not filled to its end. */
export async function refuseUnfinishedMove(database: Database): Promise<void> {
  if (!(await isMoveUnfinished(database))) return
  throw new StoreError(
    'invalid',
    'The move of a data folder into this database was not finished, so it is not used. Run "capstan migrate" again: it ' +
      'starts over.',
  )
}
