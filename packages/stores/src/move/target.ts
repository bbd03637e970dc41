import { StoreError } from '@capstan/harness'
import { Client } from 'pg'
import type { Database, Query } from '../postgres/database/database.ts'
import { toStoreError } from '../postgres/database/store-errors.ts'

/** Tables that a move fills, and that must be empty before. */
const TABLES = [
  'threads',
  'journal',
  'chains',
  'runs',
  'usage',
  'queue',
  'media',
  'artifacts',
  'artifact_blocks',
  'search',
  'approvals',
  'grants',
  'connections',
  'sign_in_flows',
  'scopes',
  'action_effects',
  'known_actions',
  'secrets',
  'memory_items',
  'memory_index',
  'memory_terms',
  'memory_facts',
  'jobs',
  'documents',
  'commands',
  'thread_attempts',
] as const

/** What was found in the database. */
export type TargetState = 'empty' | 'unfinished'

/**
 * Looks at a database that is to be filled, and changes nothing in it. Throws a `StoreError` of kind `invalid` when it holds
 * anything, `locked` when a server uses it.
 */
export async function inspectTarget(query: Query): Promise<TargetState> {
  const found = await query<{ name: string }>(
    'SELECT tablename AS name FROM pg_tables WHERE schemaname = current_schema()',
  )
  const there = new Set(found.map(({ name }) => name))
  if (!there.has('schema_version')) return 'empty'
  if (there.has('nodes')) {
    const [node] = await query<{ id: string }>(
      `SELECT id FROM nodes WHERE seen_at > now() - interval '1 minute' LIMIT 1`,
    )
    if (node) throw new StoreError('locked', `A server (${node.id}) uses this database. Stop it first.`)
  }
  const marks = there.has('facts') ? await query(`SELECT FROM facts WHERE name = 'move'`) : []
  if (marks.length > 0) return 'unfinished'
  for (const table of TABLES) {
    if (!there.has(table)) continue
    const [row] = await query(`SELECT FROM ${table} LIMIT 1`)
    if (row)
      throw new StoreError(
        'invalid',
        `The database is not empty: it has rows in "${table}". A data folder is moved into an empty database only. ` +
          'Create another one, or name another schema in its address.',
      )
  }
  return 'empty'
}

/** Removes what an unfinished move has left. */
export async function clearTarget(database: Database): Promise<void> {
  await database.transaction(async (query) => {
    await query(`TRUNCATE ${TABLES.join(', ')} RESTART IDENTITY`)
    await query(`DELETE FROM facts WHERE name = 'chains'`)
  })
}

/** New rows are numbered on from those that were copied. Numbers of deleted threads are not used again. */
export async function continueNumbers(database: Database): Promise<void> {
  for (const [table, column, last] of NUMBERED)
    await database.write(
      `SELECT setval(pg_get_serial_sequence('${table}', '${column}'), (SELECT coalesce(${last}, 0) + 1 FROM ${table}), false)`,
    )
}

const NUMBERED = [
  ['threads', 'no', 'greatest(max(no), (SELECT max(thread) FROM journal))'],
  ['journal', 'id', 'max(id)'],
  ['runs', 'no', 'max(no)'],
  ['usage', 'no', 'max(no)'],
  ['search', 'no', 'max(no)'],
  ['approvals', 'no', 'max(no)'],
  ['connections', 'no', 'max(no)'],
  ['memory_items', 'no', 'max(no)'],
  ['memory_vectors', 'no', 'max(no)'],
  ['jobs', 'no', 'max(no)'],
] as const

/** Makes this the only move into the database until the result is called, or the process ends. */
export async function lockTarget(url: string): Promise<() => Promise<void>> {
  const client = new Client({ connectionString: url, application_name: 'capstan migrate', keepAlive: true })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_lock(hashtextextended('capstan move ' || current_schema(), 0)) AS locked`,
    )
    if (rows[0]?.locked) return () => client.end()
  } catch (error) {
    await client.end().catch(() => {})
    throw toStoreError(error)
  }
  await client.end()
  throw new StoreError('locked', 'Another move into this database is under way.')
}
