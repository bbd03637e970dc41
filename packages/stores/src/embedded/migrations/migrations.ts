import { StoreError } from '@capstan/harness'
import { addAuditChain } from './add-audit-chain.ts'
import { addAnsweredBy } from './add-answered-by.ts'
import { addActionEffects } from './add-action-effects.ts'
import { addApprovalReason } from './add-approval-reason.ts'
import { addConnections } from './add-connections.ts'
import { addFacts } from './add-facts.ts'
import { addGrants } from './add-grants.ts'
import { addJobs } from './add-jobs.ts'
import { addMemory } from './add-memory.ts'
import { addQueueMode } from './add-queue-mode.ts'
import { addKeptUsage } from './add-kept-usage.ts'
import { addReasonCode } from './add-reason-code.ts'
import { addListIndexes } from './add-list-indexes.ts'
import { addSearch } from './add-search.ts'
import { addVectors } from './add-vectors.ts'
import { refuseDamage } from '../database/checksum.ts'
import type { Connection } from '../database/connection.ts'
import { LEDGER_SCHEMA } from './schema.ts'

/** Each turns a file of one version into the next; the first starts with an empty file. Never changed once released. */
export const MIGRATIONS: readonly ((connection: Connection) => void)[] = [
  ({ db }) => db.exec(LEDGER_SCHEMA),
  addSearch,
  addConnections,
  addReasonCode,
  addListIndexes,
  addAuditChain,
  addGrants,
  addActionEffects,
  addApprovalReason,
  addQueueMode,
  addKeptUsage,
  addAnsweredBy,
  addMemory,
  addFacts,
  addJobs,
  addVectors,
]

const VERSION = MIGRATIONS.length

/**
 * 0 for an empty file. The number is stored twice, because one flipped bit in the header would make a sound file look
 * newer, or empty: two numbers that differ are damage.
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

/** In a newer file the same names may mean something else, so it is not read at all. */
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
