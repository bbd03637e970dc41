import { StoreError } from '@capstan/harness'
import type { AuditCheck } from '@capstan/protocol'
import { verifyChains } from '../audit/verify-chains.ts'
import type { Database } from '../database/database.ts'
import { openKeys } from '../keys.ts'
import type { NodeKeys } from '../keys.ts'
import { KNOWN_SCHEMA, readSchema } from '../migrations/migrations.ts'
import { isMoveUnfinished } from '../unfinished-move.ts'
import { failed, ok, warning } from './database-check.ts'
import type { DatabaseCheck } from './database-check.ts'

interface KeyOptions {
  readonly keyFile: string | undefined
  readonly env: Readonly<Record<string, string | undefined>>
}

/** What Capstan has in the database: its tables, the key and the audit log. Nothing is changed. */
export async function checkTables(
  database: Database,
  key: KeyOptions,
  { isQuick }: { readonly isQuick: boolean },
): Promise<DatabaseCheck[]> {
  const schema = await readSchema((sql, values) => database.read(sql, values))
  if (!schema) {
    const next = 'They are made by the first node, or by "capstan migrate".'
    return [warning('tables', 'there are none yet', next), checkOwnKey(key)]
  }
  const { version, oldest_code: oldest } = schema
  const found = `version ${version}; this Capstan knows ${KNOWN_SCHEMA}`
  if (oldest > KNOWN_SCHEMA)
    return [failed('tables', found, 'A newer version of Capstan has upgraded them: use that one.')]
  if (await isMoveUnfinished(database))
    return [
      failed(
        'tables',
        'a data folder was not moved to its end',
        'Run "capstan migrate" again: it starts over.',
      ),
    ]
  const tables =
    version < KNOWN_SCHEMA
      ? warning('tables', found, 'The next node that starts upgrades them. Make a backup before.')
      : ok('tables', found)
  const { check, keys } = await checkKey(database, key)
  return [tables, check, ...(keys && !isQuick ? [await checkAudit(database, keys)] : [])]
}

function checkOwnKey(options: KeyOptions): DatabaseCheck {
  try {
    return ok('key', `${openKeys(options).name} will be the key of this database`)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return failed('key', error.message, 'openssl rand -hex 32 makes one.')
  }
}

async function checkKey(
  database: Database,
  options: KeyOptions,
): Promise<{ readonly check: DatabaseCheck; readonly keys?: NodeKeys }> {
  let keys: NodeKeys
  try {
    keys = openKeys(options)
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return { check: failed('key', error.message, 'Use the key that the nodes have.') }
  }
  const [row] = await database.read<{ value: string }>(`SELECT value FROM facts WHERE name = 'key'`)
  if (row && row.value !== keys.name) {
    const found = `${keys.name} is not the key of this database, which is ${row.value}`
    return {
      check: failed(
        'key',
        found,
        'Use the key that the nodes have. Without it, secrets and approvals are lost.',
      ),
    }
  }
  return { check: ok('key', `${keys.name} fits`), keys }
}

async function checkAudit(database: Database, { seal }: NodeKeys): Promise<DatabaseCheck> {
  const check: AuditCheck = await database.transaction((query) => verifyChains(query, seal), {
    isSnapshot: true,
  })
  const [first] = check.problems
  if (!first) return ok('audit', `intact: ${check.rows.toLocaleString('en')} rows`)
  const found = `${check.problems.length} problems in ${check.rows.toLocaleString('en')} rows: ${first.text}`
  return failed(
    'audit',
    found,
    'Somebody has changed rows, or a backup was put back. "capstan audit verify" lists all.',
  )
}
