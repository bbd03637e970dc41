import type { JsonValue } from '@capstan/harness/seams'
import type { JobRow } from '@capstan/harness/stores'
import type { Failure } from '@capstan/protocol'

/** Does the jobs of one kind. */
export interface JobHandler {
  readonly kind: string
  /**
   * Runs a job once. It may be run again from its last saved state when the process is killed, so what it does must bear a
   * repeat. A run that throws is tried again later.
   */
  run(job: JobRow, run: JobRun): Promise<JobResult>
  /** Failed attempts in a row until the job is `failed`. Default 8. */
  readonly maxAttempts?: number
  /** A run that takes longer is aborted, and has failed. Default one hour. */
  readonly timeoutMs?: number
  /** Its runs take long and do little: they take no place from others. Default false. */
  readonly waitsMostly?: boolean
}

/** What a handler gets for one run. */
export interface JobRun {
  /** Aborted when the run should end: it was paused or cancelled, everything was stopped, or the server stops. */
  readonly signal: AbortSignal
  /** Keeps the state, which survives a kill. Rejects when this run is over. */
  readonly save: (state: JsonValue) => Promise<void>
  readonly now: () => number
}

/** What came of a run. Without `next` the job is done. */
export interface JobResult {
  /** When it runs again. */
  readonly next?: number
  /** Default: as it was saved last. */
  readonly state?: JsonValue
  readonly done?: true
  /** Something went wrong, and the job goes on at `next` all the same. Without `next` it has failed for good. */
  readonly failure?: Failure
}

/** A run failed for a known reason. Others are classified by their message. */
export class JobError extends Error {
  override readonly name = 'JobError'
  readonly failure: Failure

  constructor(failure: Failure) {
    super(failure.cause)
    this.failure = failure
  }
}
