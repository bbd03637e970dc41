import type { Integrations } from '@capstan/harness/integrations'
import type { Clock } from '@capstan/harness/seams'
import type { JobRow, MemoryItem, Store } from '@capstan/harness/stores'
import { createMemoryLocks } from '@capstan/harness/stores'
import type { ConnectionRow, SyncEstimate, SyncSettings, SyncView } from '@capstan/protocol'
import type { Jobs } from '../jobs/jobs.ts'
import { estimateSync } from './estimate-sync.ts'
import { MOST_LEFT_OUT } from './left-out.ts'
import { DEFAULT_SETTINGS, SYNC_KIND, readBody, toAccount, toJobId, toJson } from './sync-body.ts'
import { createSyncHandler } from './sync-handler.ts'
import type { BeginReport } from './sync-handler.ts'
import { isOn, toSyncView } from './to-sync-view.ts'

const ESTIMATE_TIMEOUT_MS = 30_000
/** Another node that changes the same sync takes some milliseconds. */
const CHANGE_LIMIT_MS = 10_000

/** Why a sync has no answer: the connection is unknown or of another user, its app has no source, or it is not connected. */
export type NoSync = 'unknown' | 'unsupported' | 'not-connected'

/** Brings what the connected apps of each user hold into memory, for the connections for which a person switched it on. */
export interface MemorySync {
  /** The connections of a user whose apps can be synced. */
  list(userId: string): Promise<readonly SyncView[]>
  read(userId: string, connectionId: string): Promise<SyncView | NoSync>
  /** What a first sync needs. Asks the app, and rejects when it does not answer. */
  estimate(
    userId: string,
    connectionId: string,
    settings?: Partial<SyncSettings>,
  ): Promise<SyncEstimate | NoSync>
  /** Switches it on, or changes how it is done. */
  switchOn(
    userId: string,
    connectionId: string,
    settings: Partial<SyncSettings>,
    expected?: number,
  ): Promise<SyncView | NoSync>
  /** Switches it off at once. With `forget`, what was synced of the account is deleted. */
  switchOff(
    userId: string,
    connectionId: string,
    options: { readonly forget: boolean },
  ): Promise<'off' | 'unknown'>
  /** Items that a person forgets stay out for as long as the sync of their account is on. */
  leaveOut(userId: string, items: readonly MemoryItem[]): Promise<void>
  /** Disconnects an account, which ends its sync at once. False when there is no such connection. */
  disconnect(userId: string, connectionId: string, options: { readonly forget: boolean }): Promise<boolean>
}

/** What memory syncs need. */
export interface MemorySyncOptions {
  readonly store: Store
  readonly integrations: Integrations
  readonly jobs: Jobs
  readonly clock: Clock
  readonly beginReport: BeginReport
  readonly onProblem: (problem: unknown) => void
}

export function openMemorySync(options: MemorySyncOptions): MemorySync {
  const { store, integrations, jobs, clock, onProblem } = options
  const locks = store.locks ?? createMemoryLocks()
  /** A body is read, and then written: one change of a sync at a time. */
  const oneAtATime = <T>(connectionId: string, work: () => Promise<T>): Promise<T> =>
    locks.withLock(`sync of ${connectionId}`, work, { limitMs: CHANGE_LIMIT_MS })
  jobs.register(createSyncHandler(options))
  // Closed integrations publish nothing more.
  integrations.bus.subscribe((event) => {
    if (event.type === 'connections-changed') follow(event.connection, jobs, clock).catch(onProblem)
  })

  async function find(userId: string, connectionId: string): Promise<ConnectionRow | NoSync> {
    const connection = await integrations.connections.get(userId, connectionId)
    if (!connection || connection.status === 'disconnected') return 'unknown'
    return integrations.syncSource(connection) ? connection : 'unsupported'
  }

  async function findActive(userId: string, connectionId: string): Promise<ConnectionRow | NoSync> {
    const found = await find(userId, connectionId)
    return typeof found === 'string' || found.status === 'active' ? found : 'not-connected'
  }

  /** From now on no run stores anything. The job itself deletes what a run on another node is storing just now. */
  async function beginForgetting({ userId, id, ...connection }: ConnectionRow): Promise<void> {
    const forget = { app: connection.toolkit, account: toAccount({ id, label: connection.label }) }
    const job = await jobs.get(userId, toJobId(id))
    const body = job && toJson({ ...readBody(job), forget })
    if (body) await jobs.change(userId, job.id, { body, status: 'waiting', nextAt: clock.now() })
  }

  const forgetAccount = async (connection: ConnectionRow): Promise<void> => {
    const source = { app: connection.toolkit, account: toAccount(connection) }
    await store.memory.removeAll(connection.userId, source)
  }

  return {
    async list(userId) {
      const connections = await integrations.connections.list(userId)
      const known = new Map((await listSyncJobs(userId, jobs)).map((job) => [job.id, job]))
      return connections
        .filter((connection) => integrations.syncSource(connection))
        .map((connection) => toSyncView(connection, known.get(toJobId(connection.id))))
    },
    async read(userId, connectionId) {
      const connection = await find(userId, connectionId)
      if (typeof connection === 'string') return connection
      return toSyncView(connection, await jobs.get(userId, toJobId(connectionId)))
    },
    async estimate(userId, connectionId, settings) {
      const connection = await findActive(userId, connectionId)
      if (typeof connection === 'string') return connection
      const source = integrations.syncSource(connection)
      if (!source) return 'unsupported'
      const signal = AbortSignal.timeout(ESTIMATE_TIMEOUT_MS)
      try {
        return await estimateSync(source, { ...DEFAULT_SETTINGS, ...settings }, signal)
      } catch (error) {
        // Only now is it known that the app has nothing to read.
        if (!integrations.syncSource(connection)) return 'unsupported'
        throw error
      }
    },
    async switchOn(userId, connectionId, settings, expected) {
      const connection = await findActive(userId, connectionId)
      if (typeof connection === 'string') return connection
      const start = { connection, settings, expected }
      const job = await oneAtATime(connectionId, () => startJob(start, jobs, clock.now()))
      return toSyncView(connection, job)
    },
    async switchOff(userId, connectionId, { forget }) {
      const connection = await integrations.connections.get(userId, connectionId)
      if (!connection || connection.status === 'disconnected') return 'unknown'
      if (forget) {
        await oneAtATime(connectionId, () => beginForgetting(connection))
        await forgetAccount(connection)
      } else {
        await jobs.remove(userId, toJobId(connectionId))
      }
      return 'off'
    },
    async leaveOut(userId, items) {
      if (items.length === 0) return
      for (const connection of await integrations.connections.list(userId)) {
        const ids = items.filter((item) => isOf(item, connection)).map(({ id }) => id)
        if (ids.length > 0) await oneAtATime(connection.id, () => leaveOutOf(connection, ids, jobs))
      }
    },
    async disconnect(userId, connectionId, { forget }) {
      const connection = await integrations.connections.get(userId, connectionId)
      if (!connection) return false
      if (forget && connection.status !== 'disconnected')
        await oneAtATime(connectionId, () => beginForgetting(connection))
      if (!(await integrations.connections.disconnect(userId, connectionId))) return false
      if (forget) await forgetAccount(connection)
      else await jobs.remove(userId, toJobId(connectionId))
      return true
    },
  }
}

const isOf = ({ app, account }: MemoryItem, connection: ConnectionRow): boolean =>
  app === connection.toolkit && account === toAccount(connection)

async function leaveOutOf({ userId, id }: ConnectionRow, ids: readonly string[], jobs: Jobs): Promise<void> {
  const job = await jobs.get(userId, toJobId(id))
  if (!job || !isOn(job)) return
  const body = readBody(job)
  const leftOut = [...new Set([...ids, ...(body.leftOut ?? [])])].slice(0, MOST_LEFT_OUT)
  await jobs.change(userId, job.id, { body: toJson({ ...body, leftOut }) })
}

async function listSyncJobs(userId: string, jobs: Jobs): Promise<readonly JobRow[]> {
  const found: JobRow[] = []
  for (;;) {
    const cursor = found.at(-1)
    const page = await jobs.list(userId, { kind: SYNC_KIND, limit: 200, ...(cursor && { cursor }) })
    found.push(...page)
    if (page.length < 200) return found
  }
}

interface Start {
  readonly connection: ConnectionRow
  readonly settings: Partial<SyncSettings>
  readonly expected: number | undefined
}

/** Adds the job, or changes the one that there is. */
async function startJob(
  { connection, settings, expected }: Start,
  jobs: Jobs,
  now: number,
): Promise<JobRow | undefined> {
  const { userId, id: connectionId } = connection
  const id = toJobId(connectionId)
  const old = await jobs.get(userId, id)
  if (old && isOn(old)) {
    const body = readBody(old)
    const changed = { ...body, settings: { ...body.settings, ...settings } }
    return jobs.change(userId, id, { body: toJson(changed), nextAt: now }, [
      'waiting',
      'running',
      'paused',
      'failed',
    ])
  }
  if (old) await jobs.remove(userId, id)
  const body = {
    connectionId,
    settings: { ...DEFAULT_SETTINGS, ...settings },
    ...(expected !== undefined && { expected }),
  }
  const title = `Sync ${connection.toolkit}: ${toAccount(connection)}`
  const { job } = await jobs.add({
    id,
    userId,
    kind: SYNC_KIND,
    key: id,
    title,
    body: toJson(body),
    nextAt: now,
  })
  return job
}

/** A disconnected account has no sync; one that was connected again goes on at once. */
async function follow(connection: ConnectionRow, jobs: Jobs, clock: Clock): Promise<void> {
  const { userId, id, status } = connection
  if (status !== 'active' && status !== 'disconnected') return
  const job = await jobs.get(userId, toJobId(id))
  if (!job) return
  if (status === 'disconnected') {
    if (!readBody(job).forget) await jobs.remove(userId, job.id)
  } else if (job.status === 'waiting' && job.lastFailure?.category === 'needs_user') {
    await jobs.change(userId, job.id, { status: 'waiting', nextAt: clock.now() }, ['waiting'])
  }
}
