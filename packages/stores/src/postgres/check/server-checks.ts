import type { Query } from '../database/database.ts'
import { failed, ok, readSettings, warning } from './database-check.ts'
import type { DatabaseCheck } from './database-check.ts'

const OLDEST_VERSION = 14
const MAX_CLOCK_MS = 2_000

/** What a node takes: a bell, a lock, five for its queue of turns, and its pool. */
const CONNECTIONS_BESIDE_POOL = 7

/** The server itself: its version, its settings, its connections and its clock. */
export async function checkServer(query: Query, poolSize: number): Promise<DatabaseCheck[]> {
  return [
    await checkVersion(query),
    await checkEncoding(query),
    await checkDurability(query),
    await checkConnections(query, poolSize),
    await checkExtension(query),
    await checkClock(query),
  ]
}

async function checkVersion(query: Query): Promise<DatabaseCheck> {
  const settings = await readSettings(query, ['server_version', 'server_version_num'])
  const found = `PostgreSQL ${settings.get('server_version')}`
  const major = Math.floor(Number(settings.get('server_version_num')) / 10_000)
  if (major >= OLDEST_VERSION) return ok('version', found)
  return failed('version', found, `Use version ${OLDEST_VERSION} or a later one.`)
}

async function checkEncoding(query: Query): Promise<DatabaseCheck> {
  const [row] = await query<{ encoding: string }>(`SELECT current_setting('server_encoding') AS encoding`)
  const found = String(row?.encoding)
  if (found === 'UTF8') return ok('encoding', found)
  return failed('encoding', found, 'Create a database with the encoding UTF8.')
}

async function checkDurability(query: Query): Promise<DatabaseCheck> {
  const names = ['fsync', 'full_page_writes', 'synchronous_commit'] as const
  const settings = await readSettings(query, names)
  const found = names.map((name) => `${name} ${settings.get(name)}`).join(', ')
  const isOff = (['fsync', 'full_page_writes'] as const).filter((name) => settings.get(name) === 'off')
  if (isOff.length === 0) return ok('durability', found)
  return failed(
    'durability',
    found,
    `Turn ${isOff.join(' and ')} on: a power cut can destroy the database, also what was reported as stored.`,
  )
}

interface ConnectionCounts {
  readonly used: number
  readonly nodes: number
}

async function checkConnections(query: Query, poolSize: number): Promise<DatabaseCheck> {
  const settings = await readSettings(query, ['max_connections', 'superuser_reserved_connections'])
  const most =
    Number(settings.get('max_connections')) - Number(settings.get('superuser_reserved_connections'))
  const nodes = await countNodes(query)
  const [row] = await query<Pick<ConnectionCounts, 'used'>>(
    `SELECT count(*) AS used FROM pg_stat_activity WHERE backend_type = 'client backend'`,
  )
  const perNode = poolSize + CONNECTIONS_BESIDE_POOL
  const used = Number(row?.used)
  const found = `${used} of ${most} in use, ${nodes} nodes, a node takes up to ${perNode}`
  const next = 'Raise max_connections, or lower the size of the pools.'
  if (used >= most) return failed('connections', found, next)
  // One node more than now, so that one can be replaced.
  return (nodes + 1) * perNode > most ? warning('connections', found, next) : ok('connections', found)
}

async function countNodes(query: Query): Promise<number> {
  const [there] = await query<{ found: boolean }>(`SELECT to_regclass('nodes') IS NOT NULL AS found`)
  if (!there?.found) return 0
  const sql = `SELECT count(*) AS nodes FROM nodes WHERE seen_at > now() - interval '1 minute'`
  const [row] = await query<Pick<ConnectionCounts, 'nodes'>>(sql)
  return Number(row?.nodes)
}

async function checkExtension(query: Query): Promise<DatabaseCheck> {
  const [row] = await query<{ version: string | null }>(
    `SELECT installed_version AS version FROM pg_available_extensions WHERE name = 'pg_trgm'`,
  )
  if (row?.version) return ok('extensions', `pg_trgm ${row.version}`)
  const next = row
    ? 'Run "CREATE EXTENSION pg_trgm" as an administrator of the database.'
    : 'Install the contrib modules of PostgreSQL.'
  return warning(
    'extensions',
    'pg_trgm is missing: searching for Chinese, Japanese and Thai words is slow',
    next,
  )
}

async function checkClock(query: Query): Promise<DatabaseCheck> {
  const before = Date.now()
  const [row] = await query<{ now: number }>(
    'SELECT extract(epoch FROM clock_timestamp())::double precision * 1000 AS now',
  )
  const difference = Math.round(Number(row?.now) - (before + Date.now()) / 2)
  const found = `${difference} ms from the clock of this machine`
  if (Math.abs(difference) <= MAX_CLOCK_MS) return ok('clock', found)
  return warning('clock', found, 'Set both clocks by NTP: approvals and logins expire by them.')
}
