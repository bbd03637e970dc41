import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { ConfigurationError } from '@capstan/harness'
import type { Clock } from '@capstan/harness/seams'
import type { Bell, PostgresStore } from '@capstan/stores/postgres'
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
  readonly createCluster: typeof createCluster
}

const ROLES: readonly string[] = ['all', 'web', 'worker'] satisfies NodeRole[]

/** Opens the database. The packages it needs are loaded only here. */
export async function openNode(
  { url, role = 'all', keyFile, concurrency = 100, poolSize, ...options }: DatabaseOptions,
  {
    env,
    clock,
    onProblem,
  }: { readonly env: Environment; readonly clock: Clock; readonly onProblem: (problem: unknown) => void },
): Promise<OpenNode> {
  if (!ROLES.includes(role)) throw new ConfigurationError('role', `must be one of ${ROLES.join(', ')}`)
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
  try {
    const bell = await openBell({ url, nodeId, onProblem })
    return { url, role, concurrency, store, bell, createCluster: cluster.createCluster }
  } catch (error) {
    await store.close()
    throw error
  }
}
