import { NEW_SYNC, nextDay, runSync } from '@capstan/harness/memory'
import type { SyncEnd, SyncSource, SyncState } from '@capstan/harness/memory'
import type { Integrations } from '@capstan/harness/integrations'
import type { Clock } from '@capstan/harness/seams'
import type { JobRow, Store } from '@capstan/harness/stores'
import type { ConnectionRow, Failure } from '@capstan/protocol'
import type { JobHandler, JobResult, JobRun } from '../jobs/job-handler.ts'
import type { Jobs } from '../jobs/jobs.ts'
import { toRetryDelay } from '../jobs/retry-delay.ts'
import { withoutLeftOut } from './left-out.ts'
import { SYNC_KIND, readBody, readMemo, toAccount, toJson } from './sync-body.ts'
import type { SyncBody, SyncMemo } from './sync-body.ts'
import { NOT_CONNECTED, NO_READING, NO_SOURCE, toSyncFailure } from './to-sync-failure.ts'
import type { ReportItems } from './watched-memory.ts'
import { watchMemory } from './watched-memory.ts'

const MINUTE_MS = 60_000
/** After a problem that only a person can mend. A new sign-in is noticed at once. */
const WAIT_MS = 24 * 60 * MINUTE_MS

/** Begins to report the items of one run. `isFirst`: not everything was seen once before. */
export type BeginReport = (
  connection: Pick<ConnectionRow, 'id' | 'userId'>,
  run: { readonly isFirst: boolean },
) => ReportItems

/** What a handler of sync jobs needs. */
export interface SyncHandlerOptions {
  readonly store: Pick<Store, 'connections' | 'memory'>
  readonly integrations: Pick<Integrations, 'connections' | 'bus' | 'syncSource'>
  readonly jobs: Pick<Jobs, 'get'>
  readonly clock: Clock
  readonly beginReport: BeginReport
}

/** One run of a job that can sync: its connection is active, and its app has a source. */
interface Work {
  readonly job: JobRow
  readonly body: SyncBody
  readonly connection: ConnectionRow
  readonly source: SyncSource
}

/** The sync was switched off, or its account disconnected, while a page was read. Nothing of the page is stored. */
class SwitchedOff extends Error {
  override readonly name = 'SwitchedOff'
}

/** Syncs connections. A problem with an app never ends a job: it waits, and says why. */
export function createSyncHandler(options: SyncHandlerOptions): JobHandler {
  const { store, integrations } = options

  async function run(job: JobRow, jobRun: JobRun): Promise<JobResult> {
    const body = readBody(job)
    if (body.forget) {
      await store.memory.removeAll(job.userId, body.forget)
      return { done: true, state: null }
    }
    const connection = await integrations.connections.get(job.userId, body.connectionId)
    if (!connection || connection.status === 'disconnected') return { done: true }
    if (connection.status !== 'active') return waitFor(NOT_CONNECTED, jobRun)
    const { read } = await store.connections.scopes(job.userId, connection.toolkit)
    if (!read) return waitFor(NO_READING, jobRun)
    const source = integrations.syncSource(connection)
    if (!source) return waitFor(NO_SOURCE, jobRun)
    return syncWhileConnected({ job, body, connection, source }, jobRun, options)
  }

  return { kind: SYNC_KIND, run, maxAttempts: Infinity }
}

const waitFor = (failure: Failure, { now }: JobRun): JobResult => ({ next: now() + WAIT_MS, failure })

/** Ends at once when the connection is lost, on whichever node that was noticed. */
async function syncWhileConnected(work: Work, run: JobRun, options: SyncHandlerOptions): Promise<JobResult> {
  const { connection } = work
  const lost = new AbortController()
  const unsubscribe = options.integrations.bus.subscribe((event) => {
    if (event.type !== 'connections-changed' || event.connection.id !== connection.id) return
    if (event.connection.status !== 'active') lost.abort(new Error('the account was disconnected'))
  })
  const signal = AbortSignal.any([run.signal, lost.signal])
  try {
    const end = await syncOnce(work, { ...run, signal }, options)
    return { next: toNext(end, work.body, run.now()) }
  } catch (error) {
    run.signal.throwIfAborted()
    if (lost.signal.aborted) return waitFor(NOT_CONNECTED, run)
    if (error instanceof SwitchedOff) return { next: run.now() }
    return await settleFailure(work, error, run, options)
  } finally {
    unsubscribe()
  }
}

async function syncOnce(work: Work, run: JobRun, options: SyncHandlerOptions): Promise<SyncEnd> {
  const { body, connection, source } = work
  const { userId, id } = work.job
  const { store, integrations, jobs, clock, beginReport } = options
  const account = toAccount(connection)
  const { key } = source
  const state = stateOf(readMemo(work.job), account, key)
  const toMemo = (sync: SyncState): SyncMemo => ({ account, ...(key !== undefined && { key }), sync })
  const place = { app: connection.toolkit, account }
  const readLeftOut = async (): Promise<ReadonlySet<string>> => {
    const job = await jobs.get(userId, id)
    if (!job || readBody(job).forget) throw new SwitchedOff()
    return new Set(readBody(job).leftOut)
  }
  const memory = watchMemory(store.memory, {
    userId,
    async check() {
      run.signal.throwIfAborted()
      const now = await integrations.connections.get(userId, connection.id)
      if (now?.status !== 'active') throw new SwitchedOff()
      return readLeftOut()
    },
    report: beginReport(connection, { isFirst: state.lastDoneAt === undefined }),
  })
  const { intervalMinutes: _, ...limits } = body.settings
  const { end } = await runSync({
    source: withoutLeftOut(source, place, readLeftOut),
    memory,
    userId,
    account: place,
    limits,
    state,
    save: (next) => run.save(toJson(toMemo(next))),
    clock,
    signal: run.signal,
  })
  return end
}

/** What was used today counts on, whoever is signed in now. */
function stateOf(memo: SyncMemo | undefined, account: string, key: string | undefined): SyncState {
  if (!memo) return NEW_SYNC
  const isSame = memo.account === account && memo.key === key
  return isSame ? memo.sync : { ...NEW_SYNC, used: memo.sync.used }
}

function toNext(end: SyncEnd, { settings }: SyncBody, now: number): number {
  if (end === 'requests' || end === 'tokens') return nextDay(now)
  return now + settings.intervalMinutes * MINUTE_MS
}

/** Tries again later, or waits for the person when the sign-in is no longer good. */
async function settleFailure(
  { job, connection }: Work,
  error: unknown,
  run: JobRun,
  { integrations }: SyncHandlerOptions,
): Promise<JobResult> {
  const failure = toSyncFailure(error)
  if (failure.class === 'bad_credentials') {
    await integrations.connections.expire(connection.id, failure.cause, connection.updatedAt)
    return waitFor(failure, run)
  }
  return { next: run.now() + toRetryDelay(job.attempts + 1, failure.retryAfterMs), failure }
}
