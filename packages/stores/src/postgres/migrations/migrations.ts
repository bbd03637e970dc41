import { StoreError } from '@capstan/harness'
import type { Database, Query } from '../database/database.ts'
import { APPROVAL_SCHEMA } from './approval-schema.ts'
import { FACT_SCHEMA } from './fact-schema.ts'
import { JOB_SCHEMA } from './job-schema.ts'
import { LEDGER_SCHEMA } from './ledger-schema.ts'
import { MEMORY_SCHEMA } from './memory-schema.ts'
import { NODE_SCHEMA } from './node-schema.ts'
import { VECTOR_SCHEMA } from './vector-schema.ts'

/** One step from a version of the tables to the next. Never changed once released. */
export interface Migration {
  readonly sql: string
  /**
   * The oldest version of the code that still works with the tables after this step. Nodes are upgraded one after the
   * other, so a step keeps the version before it working; what an old version needs is removed one version later.
   */
  readonly oldestCode: number
}

const MIGRATIONS: readonly Migration[] = [
  { sql: LEDGER_SCHEMA + APPROVAL_SCHEMA, oldestCode: 1 },
  { sql: NODE_SCHEMA, oldestCode: 1 },
  { sql: MEMORY_SCHEMA, oldestCode: 1 },
  { sql: FACT_SCHEMA, oldestCode: 1 },
  { sql: JOB_SCHEMA, oldestCode: 1 },
  { sql: VECTOR_SCHEMA, oldestCode: 1 },
]

/** The version of the tables that this code makes. */
export const KNOWN_SCHEMA = MIGRATIONS.length

interface SchemaRow {
  readonly version: number
  readonly oldest_code: number
}

/**
 * Brings the tables to this version. One node at a time does it, each step in a transaction of its own. Tables of a newer
 * version are left alone if this version still works with them, and refused with a `StoreError` of kind `newer` if not.
 */
export async function migrate(database: Database, steps: readonly Migration[] = MIGRATIONS): Promise<void> {
  for (;;) {
    const found = await readSchema((sql) => database.read(sql))
    if (found) refuseNewer(found, steps.length)
    if (found && found.version >= steps.length) return
    await database.transaction((query) => migrateOnce(query, steps))
  }
}

async function migrateOnce(query: Query, steps: readonly Migration[]): Promise<void> {
  await query(`SELECT pg_advisory_xact_lock(hashtextextended('capstan migrations ' || current_schema(), 0))`)
  const { version = 0 } = (await readSchema(query)) ?? {}
  const step = steps[version]
  // Another node was faster.
  if (!step) return
  if (version === 0) {
    await query(`CREATE TABLE schema_version (
      only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row), version integer NOT NULL, oldest_code integer NOT NULL)`)
    await query('INSERT INTO schema_version (version, oldest_code) VALUES (0, 0)')
  }
  // One round trip: a statement with values cannot hold several.
  await query(`DO $capstan$ BEGIN ${step.sql} END $capstan$`)
  await query('UPDATE schema_version SET version = $1, oldest_code = $2', [version + 1, step.oldestCode])
}

/** Undefined when there are no tables. */
export async function readSchema(query: Query): Promise<SchemaRow | undefined> {
  const [there] = await query<{ found: boolean }>(
    `SELECT to_regclass(quote_ident(current_schema()) || '.schema_version') IS NOT NULL AS found`,
  )
  if (!there?.found) return undefined
  const [row] = await query<SchemaRow>('SELECT version, oldest_code FROM schema_version')
  return row
}

function refuseNewer({ version, oldest_code: oldest }: SchemaRow, known: number): void {
  if (oldest <= known) return
  throw new StoreError(
    'newer',
    `The database was upgraded by a newer version of Capstan (tables ${version}; this one knows ${known}). Use that version.`,
  )
}
