import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { Clock } from '@capstan/harness/seams'
import type { Bell, PostgresStore } from '@capstan/stores/postgres'
import type { InstallSecret } from '../auth/install-secret.ts'
import { openSharedInstallSecret } from '../auth/install-secret.ts'
import type { SharedDocuments } from '../documents/postgres-documents.ts'
import { openPostgresDocuments } from '../documents/postgres-documents.ts'
import type { Environment } from '../settings/choose-model.ts'
import type { createCluster, NodeRole } from './cluster.ts'

/** The database that several nodes share, and this node's part. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:5432/database` */
  readonly url: string
  /** The name of this node. No two that run may have the same. Default: the name of the machine and a random part. */
  readonly nodeId?: string
  /** Default `all`. */
  readonly role?: NodeRole
  /** The file of the key of all nodes, unless `CAPSTAN_SECRET_KEY` holds it. */
  readonly keyFile?: string
  /** How many threads this node runs at a time. Default 100. */
  readonly concurrency?: number
  readonly poolSize?: number
}

/** What this node has open in the database. */
export interface OpenNode {
  readonly url: string
  readonly role: NodeRole
  readonly concurrency: number
  readonly store: PostgresStore
  readonly bell: Bell
  /** Settings, holds, logins and keys of the installation. */
  readonly documents: SharedDocuments
  readonly installSecret: InstallSecret
  readonly createCluster: typeof createCluster
  /** Closes all but the store. */
  close(): Promise<void>
}

/** Opens the database. The packages it needs are loaded only here. */
export async function openNode(
  { url, role = 'all', keyFile, concurrency = 100, poolSize, ...options }: DatabaseOptions,
  {
    folder,
    env,
    clock,
    onProblem,
  }: {
    readonly folder: string
    readonly env: Environment
    readonly clock: Clock
    readonly onProblem: (problem: unknown) => void
  },
): Promise<OpenNode> {
  const { openBell, openPostgresStore } = await import('@capstan/stores/postgres')
  const cluster = await import('./cluster.ts')
  const nodeId = options.nodeId ?? `${hostname()}-${randomUUID().slice(0, 8)}`
  const store = await openPostgresStore({
    url,
    env,
    clock,
    nodeId,
    ...(keyFile !== undefined && { keyFile }),
    ...(poolSize !== undefined && { poolSize }),
  })
  let opened: Bell | undefined
  try {
    const bell = (opened = await openBell({ url, nodeId, onProblem }))
    const documents = await openPostgresDocuments({ rows: store.documents, bell, onProblem })
    const installSecret = await openSharedInstallSecret(documents, folder)
    return {
      url,
      role,
      concurrency,
      store,
      bell,
      documents,
      installSecret,
      createCluster: cluster.createCluster,
      async close() {
        await documents.close()
        await bell.close()
      },
    }
  } catch (error) {
    await opened?.close()
    await store.close()
    throw error
  }
}
