import type { AppChange, AppWatch } from '@capstan/harness/connectors'
import type { Integrations } from '@capstan/harness/integrations'
import type { Clock } from '@capstan/harness/seams'
import type { JobRow, Store } from '@capstan/harness/stores'
import type { ConnectionRow, Failure } from '@capstan/protocol'
import type { JobHandler, JobResult, JobRun } from '../../jobs/job-handler.ts'
import { toRetryDelay } from '../../jobs/retry-delay.ts'
import { toSyncFailure } from '../../sync/to-sync-failure.ts'
import type { Occurrence } from '../occurrence.ts'
import type { SourceStore } from '../source-store.ts'
import type { StoredSource } from '../stored-source.ts'
import { takeChange } from './take-change.ts'
import { NOT_CONNECTED, NOT_TOLD, NO_READING } from './watch-failures.ts'
import { bodyOf, stateOf, toJson, WATCH_JOB } from './watch-state.ts'

/** After so long a run ends, and the next one begins at once. */
const PERIOD_MS = 30 * 60_000
/** After a problem that only a person can mend. A new sign-in is noticed at once. */
const WAIT_MS = 24 * 60 * 60_000
/** A run that listened for so long was no failure: it listens again after a moment. */
const LISTENED_MS = 60_000
const AGAIN_MS = 5_000
const YOUNG_MS = 60_000

export interface WatchHandlerParts {
  readonly sources: Pick<SourceStore, 'find' | 'of'>
  readonly connections: Pick<Store['connections'], 'scopes'>
  readonly integrations: Pick<Integrations, 'connections' | 'bus' | 'watch'>
  readonly clock: Clock
  receive(userId: string, sourceId: string, occurrence: Occurrence): Promise<unknown>
}

/** Listens to an app for as long as its source is there. A problem with the app never ends the job: it waits, and says why. */
export function createWatchHandler(parts: WatchHandlerParts): JobHandler {
  const { sources, connections, integrations } = parts
  return {
    kind: WATCH_JOB,
    maxAttempts: Infinity,
    waitsMostly: true,
    timeoutMs: PERIOD_MS * 2,
    async run(job, run) {
      const source = sources.find(job.userId, bodyOf(job).sourceId)
      if (source?.connectionId === undefined) return settleMissing(job, run)
      const connection = await integrations.connections.get(job.userId, source.connectionId)
      if (connection?.status !== 'active') return waitFor(NOT_CONNECTED, run)
      const { read } = await connections.scopes(job.userId, connection.toolkit)
      if (!read) return waitFor(NO_READING, run)
      const watch = integrations.watch(connection)
      if (!watch) return waitFor(NOT_TOLD, run)
      return listen({ job, source, connection, watch }, run, parts)
    },
  }
}

/** Another node may have stored the source a moment ago. */
const settleMissing = ({ createdAt }: JobRow, { now }: JobRun): JobResult =>
  now() - createdAt < YOUNG_MS ? { next: now() + AGAIN_MS } : { done: true }

const waitFor = (failure: Failure, { now }: JobRun): JobResult => ({ next: now() + WAIT_MS, failure })

interface Work {
  readonly job: JobRow
  readonly source: StoredSource
  readonly connection: ConnectionRow
  readonly watch: AppWatch
}

async function listen(work: Work, run: JobRun, parts: WatchHandlerParts): Promise<JobResult> {
  const { connection, watch } = work
  const { integrations, clock } = parts
  const lost = new AbortController()
  const over = new AbortController()
  const unsubscribe = integrations.bus.subscribe((event) => {
    if (event.type !== 'connections-changed' || event.connection.id !== connection.id) return
    if (event.connection.status !== 'active') lost.abort(new Error('the account was disconnected'))
  })
  const disarm = clock.after(PERIOD_MS, () => over.abort(new Error('the run is over')))
  const startedAt = run.now()
  try {
    return await watch(
      createReport(work, run, parts),
      AbortSignal.any([run.signal, lost.signal, over.signal]),
    )
  } catch (error) {
    run.signal.throwIfAborted()
    if (over.signal.aborted) return { next: run.now() }
    if (lost.signal.aborted) return waitFor(NOT_CONNECTED, run)
    if (error instanceof Error && error.name === 'NotTold') return waitFor(NOT_TOLD, run)
    if (run.now() - startedAt >= LISTENED_MS) return { next: run.now() + AGAIN_MS }
    return await settleFailure(work, error, run, parts)
  } finally {
    disarm()
    unsubscribe()
  }
}

/** The trigger is stored first. After a kill in between it is stored under the same id, so it is none more. */
function createReport({ job, source, connection }: Work, run: JobRun, parts: WatchHandlerParts) {
  const { sources, connections } = parts
  const { userId } = job
  let state = stateOf(job)
  return async (change: AppChange): Promise<void> => {
    run.signal.throwIfAborted()
    // While it is switched off, what changes is not kept.
    if (sources.of(userId).isOff || sources.find(userId, source.id)?.isOff !== false) return
    const { read } = await connections.scopes(userId, connection.toolkit)
    if (!read) throw new Error('reading is switched off for this app')
    const taken = takeChange(state, change, run.now())
    if (taken.occurrence) await parts.receive(userId, source.id, taken.occurrence)
    if (taken.state !== state) await run.save(toJson(taken.state))
    state = taken.state
  }
}

/** Tries again later, or waits for the person when the sign-in is no longer good. */
async function settleFailure(
  { job, connection }: Work,
  error: unknown,
  run: JobRun,
  { integrations }: WatchHandlerParts,
): Promise<JobResult> {
  const failure = toSyncFailure(error)
  if (failure.class === 'bad_credentials') {
    await integrations.connections.expire(connection.id, failure.cause, connection.updatedAt)
    return waitFor(failure, run)
  }
  return { next: run.now() + toRetryDelay(job.attempts + 1, failure.retryAfterMs), failure }
}
