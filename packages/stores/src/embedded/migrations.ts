import { StoreError } from '@capstan/harness'
import { addSearch } from './add-search.ts'
import type { Connection } from './connection.ts'
import { LEDGER_SCHEMA } from './schema.ts'

/** What turns a file of one version into the next, beginning with an empty one. Never changed once released. */
export const MIGRATIONS: readonly ((connection: Connection) => void)[] = [
  ({ db }) => db.exec(LEDGER_SCHEMA),
  addSearch,
]

const VERSION = MIGRATIONS.length

/** 0 for a file nothing was written to. */
export function readVersion({ db }: Connection): number {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  return version
}

export const isOld = (version: number): boolean => version < VERSION

/** A newer file may mean something else by the same names, so it is not even read. */
export function refuseNewer(version: number, name: string): void {
  if (version <= VERSION) return
  throw new StoreError(
    'newer',
    `${name} was written by a newer version of Capstan (format ${version}; this one knows ${VERSION}). Use that version, or another folder.`,
  )
}

/** Brings a file to this version in one transaction. */
export function migrate(connection: Connection, steps = MIGRATIONS): void {
  connection.transaction(() => {
    const version = readVersion(connection)
    for (const step of steps.slice(version)) step(connection)
    connection.db.exec(`PRAGMA user_version = ${steps.length}`)
  })
}
