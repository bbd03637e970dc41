import { StoreError } from '@capstan/harness'
import { addConnections } from './add-connections.ts'
import { addReasonCode } from './add-reason-code.ts'
import { addSearch } from './add-search.ts'
import { refuseDamage } from './checksum.ts'
import type { Connection } from './connection.ts'
import { LEDGER_SCHEMA } from './schema.ts'

/** What turns a file of one version into the next, beginning with an empty one. Never changed once released. */
export const MIGRATIONS: readonly ((connection: Connection) => void)[] = [
  ({ db }) => db.exec(LEDGER_SCHEMA),
  addSearch,
  addConnections,
  addReasonCode,
]

const VERSION = MIGRATIONS.length

/**
 * 0 for a file nothing was written to. The number is kept twice, because one flipped bit in the file's head would make
 * a sound file look newer, or new: two numbers that differ are damage.
 */
export function readVersion({ db }: Connection): number {
  const { user_version: version } = db.prepare('PRAGMA user_version').get() as { user_version: number }
  const isWritten = db.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'progress'`).get() !== undefined
  if (!isWritten && version === 0) return 0
  const second = db.prepare(`SELECT page FROM progress WHERE name = 'version'`).get()
  refuseDamage((second as { page?: number } | undefined)?.page === version, 'the number of its version')
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
    connection.db.prepare(`INSERT OR REPLACE INTO progress VALUES ('version', ?)`).run(steps.length)
  })
}
