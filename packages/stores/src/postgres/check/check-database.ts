import { StoreError } from '@capstan/harness'
import { Client } from 'pg'
import { openBucketArtifacts } from '../../bucket/open-bucket-artifacts.ts'
import { openDatabase } from '../database/database.ts'
import type { Query } from '../database/database.ts'
import { toStoreError } from '../database/store-errors.ts'
import type { PostgresStoreOptions } from '../open-store.ts'
import { failed, ok } from './database-check.ts'
import type { DatabaseCheck } from './database-check.ts'
import { checkServer } from './server-checks.ts'
import { checkTables } from './table-checks.ts'

/** Which database is checked, and how thoroughly. */
export interface CheckOptions extends Pick<
  PostgresStoreOptions,
  'url' | 'keyFile' | 'artifacts' | 'poolSize' | 'env'
> {
  /** Leaves out the audit log, which is read from end to end. */
  readonly isQuick?: boolean
}

/** Checks whether a database can be used by nodes, and changes nothing in it. What it finds never holds a password. */
export async function checkDatabase(options: CheckOptions): Promise<readonly DatabaseCheck[]> {
  const { url, keyFile, poolSize = 10, isQuick = false, env = process.env } = options
  if (!URL.canParse(url)) throw new StoreError('invalid', 'The address of the database is not a URL.')
  const [connected, ...server] = await checkServerOf(url, poolSize)
  if (!connected || connected.state === 'failed') return [connected!]
  const database = openDatabase({ url, poolSize: 1, reconnectMs: 0 })
  try {
    const tables = await checkTables(database, { keyFile, env }, { isQuick })
    const bucket = await checkBucket(options.artifacts ?? env['CAPSTAN_ARTIFACTS'], env)
    return [connected, ...server, ...tables, bucket]
  } finally {
    await database.close()
  }
}

/** On a connection without our settings: those of the server are asked for. */
async function checkServerOf(url: string, poolSize: number): Promise<DatabaseCheck[]> {
  let client: Client | undefined
  try {
    // Reads the files that the address names.
    const own = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_MS })
    client = own
    own.on('error', () => {})
    const query: Query = async <Row>(sql: string, values: readonly unknown[] = []) =>
      (await own.query(sql, [...values])).rows as Row[]
    const before = performance.now()
    await own.connect()
    const ms = Math.round(performance.now() - before)
    const [row] = await query<{ name: string; schema: string }>(
      'SELECT current_database() AS name, current_schema() AS schema',
    )
    const found = `database ${row?.name}, schema ${row?.schema}, connected in ${ms} ms`
    return [ok('connection', found), ...(await checkServer(query, poolSize))]
  } catch (error) {
    return [failed('connection', toStoreError(error).message, 'Check the address, the user and the network.')]
  } finally {
    await client?.end().catch(() => {})
  }
}

const CONNECT_MS = 10_000

async function checkBucket(
  address: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
): Promise<DatabaseCheck> {
  try {
    const bucket = await openBucketArtifacts(address, env)
    return ok('artifacts', bucket ? 'the bucket can be read' : 'in the database')
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return failed('artifacts', error.message, 'Check CAPSTAN_ARTIFACTS and the credentials AWS_*.')
  }
}
