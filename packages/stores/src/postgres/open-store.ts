import { randomUUID } from 'node:crypto'
import { StoreError } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import type { Store } from '@capstan/harness/stores'
import type { ThreadId } from '@capstan/protocol'
import { openBucketArtifacts } from '../bucket/open-bucket-artifacts.ts'
import type { BucketArtifacts } from '../bucket/open-bucket-artifacts.ts'
import { createApprovalStore } from './approvals/approval-store.ts'
import { createDatabaseArtifacts, deleteUnfinishedArtifacts } from './artifacts/database-artifacts.ts'
import { createAuditStore } from './audit/audit-store.ts'
import { createAuditedWrite } from './audit/audited-write.ts'
import { createLanes } from './audit/lanes.ts'
import { createConnectionStore } from './connections/connection-store.ts'
import { openDatabase } from './database/database.ts'
import type { Database } from './database/database.ts'
import { toStoreError } from './database/store-errors.ts'
import { checkKeys, openKeys } from './keys.ts'
import type { NodeKeys } from './keys.ts'
import { createJobStore } from './jobs/job-store.ts'
import { createInOrder } from './ledger/in-order.ts'
import { createKnownThreads } from './ledger/known-threads.ts'
import { createLedger } from './ledger/ledger.ts'
import { createUserMemory } from './memory/user-memory.ts'
import { createLeases } from './nodes/leases.ts'
import { migrate } from './migrations/migrations.ts'
import { openSearchExtension } from './migrations/search-extension.ts'
import { createDocumentRows } from './nodes/document-rows.ts'
import type { DocumentRows } from './nodes/document-rows.ts'
import { createLockedTexts } from './nodes/locked-texts.ts'
import type { LockedTexts } from './nodes/locked-texts.ts'
import { createRateRows } from './nodes/rate-rows.ts'
import type { RateRows } from './nodes/rate-rows.ts'
import { createRunStore } from './runs/run-store.ts'
import { createClaims } from './threads/claims.ts'
import { createThreadStore } from './threads/thread-store.ts'
import { refuseUnfinishedMove } from './unfinished-move.ts'

/** Which database, and how to use it. */
export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database`. Its tables are made in the first schema of the search path. */
  readonly url: string
  /**
   * The file of the key, unless `CAPSTAN_SECRET_KEY` holds it (64 hexadecimal digits). All nodes need the same key. It is
   * not made here.
   */
  readonly keyFile?: string
  /** Names this node as the owner of threads and in the audit log. Default: a random name. */
  readonly nodeId?: string
  /** Connections at the same time. Default 10. */
  readonly poolSize?: number
  /** How long a request waits for a database that cannot be reached before it fails. Default 10 seconds. */
  readonly reconnectMs?: number
  /**
   * A bucket for artifacts instead of the database: `s3://bucket/prefix?endpoint=https://host&region=name`. The credentials
   * are `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`. Default: `CAPSTAN_ARTIFACTS`.
   */
  readonly artifacts?: string
  readonly clock?: Pick<Clock, 'now'>
  /** Default: this process's. */
  readonly env?: Readonly<Record<string, string | undefined>>
}

/** A store on PostgreSQL, with its database for what nodes share beside it. */
export interface PostgresStore extends Store {
  readonly nodeId: string
  readonly database: Database
  /** Settings, logins and the like. Locked with the key of the nodes. */
  readonly documents: DocumentRows
  /** Locks what nodes ask of one another. */
  readonly texts: LockedTexts
  /** Limits that nodes count together. */
  readonly rates: RateRows
}

/**
 * Opens a store on PostgreSQL, which several nodes share. The tables are made and upgraded by the first node that needs
 * them. Throws a `StoreError`: `newer` when a newer version has upgraded them, `invalid` without the key of the others.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<PostgresStore> {
  const tables = await openTables(options)
  try {
    await refuseUnfinishedMove(tables.database)
    await deleteUnfinishedArtifacts(tables.database)
  } catch (error) {
    await tables.database.close()
    throw toStoreError(error)
  }
  return createPostgresStore(tables, options)
}

/** The tables of a store, and what is needed to read them. */
export interface OpenTables {
  readonly database: Database
  readonly keys: NodeKeys
  readonly notices: readonly string[]
  readonly bucket: BucketArtifacts | undefined
}

/** Opens the database and brings its tables to this version. */
export async function openTables(options: PostgresStoreOptions): Promise<OpenTables> {
  const { url, keyFile, poolSize = 10, reconnectMs = 10_000, env = process.env } = options
  const keys = openKeys({ keyFile, env })
  const bucket = await openBucketArtifacts(options.artifacts ?? env['CAPSTAN_ARTIFACTS'], env)
  if (!URL.canParse(url)) throw new StoreError('invalid', 'The address of the database is not a URL.')
  const database = openDatabase({ url, poolSize, reconnectMs })
  try {
    await refuseOtherEncodings(database)
    await migrate(database)
    await checkKeys(database, keys)
    return { database, keys, notices: await openSearchExtension(database), bucket }
  } catch (error) {
    await database.close()
    throw toStoreError(error)
  }
}

/** A store on tables that are open. */
export function createPostgresStore(opened: OpenTables, options: PostgresStoreOptions): PostgresStore {
  const { database, notices, bucket } = opened
  const { seal, secretKey } = opened.keys
  const { nodeId = `node_${randomUUID()}`, poolSize = 10, clock = Date } = options
  const inOrder = createInOrder<ThreadId>()
  const known = createKnownThreads(database)
  const claims = createClaims({ database, known, inOrder, nodeId })
  // One connection is left for those who read.
  const lanes = createLanes(database, {
    seal,
    nodeId,
    now: () => clock.now(),
    max: Math.max(1, poolSize - 1),
  })
  const write = createAuditedWrite(database, lanes)
  const texts = createLockedTexts(secretKey)
  return {
    nodeId,
    database,
    documents: createDocumentRows(database, texts),
    texts,
    rates: createRateRows(database),
    ledger: createLedger({ database, lanes, known, claims, seal, inOrder }),
    threads: createThreadStore({ database, write, known, inOrder, seal, bucket }),
    runs: createRunStore(database),
    approvals: createApprovalStore(database, write, seal),
    artifacts: bucket ?? createDatabaseArtifacts(database),
    connections: createConnectionStore(database, seal, secretKey),
    audit: createAuditStore(database, write, seal),
    memory: createUserMemory(database),
    jobs: createJobStore(database),
    ownership: claims,
    locks: createLeases(database, nodeId),
    notices,
    async close() {
      const closed = database.close()
      await inOrder.settle()
      await database.flush.settle()
      await closed
    },
  }
}

async function refuseOtherEncodings(database: Database): Promise<void> {
  const [row] = await database.read<{ encoding: string }>(
    `SELECT current_setting('server_encoding') AS encoding`,
  )
  if (row?.encoding === 'UTF8') return
  throw new StoreError('invalid', `The database has the encoding ${row?.encoding}. Create one with UTF8.`)
}
