import type { Clock } from '@capstan/harness/seams'
import type { ClaimedJob, JobEnd, JobStore } from '@capstan/harness/stores'
import type { Failure } from '@capstan/protocol'
import type { JobHandler, JobResult } from './job-handler.ts'
import { toRetryDelay } from './retry-delay.ts'
import { GAVE_UP, TIMED_OUT, toFailure } from './to-failure.ts'

/** Unless it is renewed, another node runs the job after so long. */
export const LEASE_MS = 20_000
const RENEW_MS = 5_000
const MAX_ATTEMPTS = 8
const TIMEOUT_MS = 60 * 60_000
/** A job that nodes were killed by so often in a row is not tried again. */
const MAX_INTERRUPTIONS = 20

/** A job that is running. */
export interface RunningJob {
  readonly claim: ClaimedJob
  /** Tells the handler to end. The job is due again, unless a person says otherwise. */
  abort(): void
  /** Asks the store whether the run is still wanted, and goes on holding the job. */
  renew(): Promise<void>
  /** Settles when the end is stored. Never rejects. */
  readonly ended: Promise<void>
}

interface RunJobOptions {
  readonly store: JobStore
  readonly clock: Clock
  readonly handler: JobHandler
  /** Something was stored that screens show. */
  readonly onChange: () => void
  readonly onProblem: (problem: unknown) => void
}

/** Runs a claimed job: renews its lease, keeps its state, and stores how it ended. */
export function runJob(claim: ClaimedJob, options: RunJobOptions): RunningJob {
  const { store, clock, handler, onChange, onProblem } = options
  const control = new AbortController()
  let isTimedOut = false
  const cancelTimeout = clock.after(handler.timeoutMs ?? TIMEOUT_MS, () => {
    isTimedOut = true
    control.abort()
  })
  async function renew(): Promise<void> {
    try {
      if (!(await store.renew(claim, clock.now() + LEASE_MS))) control.abort()
    } catch (error) {
      onProblem(error) // The lease may still be renewed in time; if not, the end is refused.
    }
  }
  let cancelRenewal = renewLater()
  function renewLater(): () => void {
    return clock.after(RENEW_MS, () => {
      cancelRenewal = renewLater()
      void renew()
    })
  }
  async function save(state: Parameters<JobStore['save']>[1]): Promise<void> {
    if (!(await store.save(claim, state))) {
      control.abort()
      throw new Error('This run of the job is over.')
    }
    onChange()
  }
  async function work(): Promise<JobEnd> {
    const at = () => clock.now()
    if (claim.interruptions > MAX_INTERRUPTIONS) return { status: 'failed', failure: GAVE_UP, at: at() }
    try {
      const run = { signal: control.signal, save, now: () => clock.now() }
      return toEnd(await handler.run(claim.job, run), at())
    } catch (error) {
      if (control.signal.aborted && !isTimedOut) return { status: 'waiting', nextAt: at(), at: at() }
      return toFailedEnd(claim, handler, isTimedOut ? TIMED_OUT : toFailure(error), at())
    }
  }
  async function runToEnd(): Promise<void> {
    try {
      const end = await work()
      await store.end(claim, end)
    } catch (error) {
      onProblem(error) // Not stored: the job is due again when its lease ends.
    } finally {
      cancelTimeout()
      cancelRenewal()
      onChange()
    }
  }
  return { claim, abort: () => control.abort(), renew, ended: runToEnd() }
}

function toEnd({ next, state, failure, done }: JobResult, at: number): JobEnd {
  const rest = { ...(state !== undefined && { state }), ...(failure && { failure }), at }
  if (done === undefined && next !== undefined) return { status: 'waiting', nextAt: next, ...rest }
  return { status: failure ? 'failed' : 'done', ...rest }
}

function toFailedEnd({ job }: ClaimedJob, handler: JobHandler, failure: Failure, at: number): JobEnd {
  const attempts = job.attempts + 1
  if (attempts >= (handler.maxAttempts ?? MAX_ATTEMPTS)) return { status: 'failed', failure, at }
  return { status: 'waiting', nextAt: at + toRetryDelay(attempts, failure.retryAfterMs), failure, at }
}
