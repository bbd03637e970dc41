import type { Failure, JobStatus, JobSummary } from '@capstan/protocol'
import type { JsonValue } from '../turn/json.ts'
import type { MaybePromise } from '../turn/maybe-promise.ts'

/** Work that is done without a person. */
export interface JobRow extends JobSummary {
  readonly userId: string
  /** Of the jobs of a user with the same key, one runs at a time. */
  readonly key: string
  /** What to do. Set by whoever adds or changes the job. */
  readonly body: JsonValue
  /** What the handler keeps between runs. */
  readonly state: JsonValue
}

/** A job to be added. */
export interface NewJob extends Pick<JobRow, 'id' | 'userId' | 'kind' | 'key' | 'title' | 'body'> {
  /** Default null. */
  readonly state?: JsonValue
  /** When it is due. */
  readonly nextAt: number
  readonly createdAt: number
}

/** Which jobs to list. */
export interface JobQuery {
  readonly kind?: string
  readonly status?: JobStatus
  /** The last job of the page before. */
  readonly cursor?: Pick<JobRow, 'createdAt' | 'id'>
  readonly limit?: number
}

/** What a person changes about a job, or the program in their place. */
export interface JobChange {
  readonly title?: string
  readonly body?: JsonValue
  /**
   * `waiting`: it runs again, without failed attempts, at `nextAt`, or at the time it had, or at once. A job that is running
   * stays running.
   */
  readonly status?: 'waiting' | 'paused' | 'cancelled'
  /** Given while the job is running, it counts more than what the run says about the next one. */
  readonly nextAt?: number
}

/** Which jobs a node may run. */
export interface DueQuery {
  /** Jobs of other kinds wait. */
  readonly kinds: readonly string[]
  /** Jobs of these users wait. */
  readonly exceptUsers?: readonly string[]
}

/** Asks for jobs to run. */
export interface ClaimQuery extends DueQuery {
  readonly now: number
  /** Names the node. */
  readonly owner: string
  /** Unless it is renewed, the job is due again after so long: its node was killed. */
  readonly leaseMs: number
  readonly limit: number
}

/** The right to run a job. It ends when the job is claimed again, which raises the epoch. */
export interface JobClaim {
  readonly userId: string
  readonly id: string
  readonly epoch: number
}

/** A job that this node runs. */
export interface ClaimedJob extends JobClaim {
  readonly job: JobRow
  /** How often in a row a node was killed while it ran the job, without anything saved. */
  readonly interruptions: number
}

/** What came of a run. */
export interface JobEnd {
  readonly status: 'waiting' | 'done' | 'failed'
  /** For `waiting`. Default: at once. */
  readonly nextAt?: number
  /** Default: as it was saved last. */
  readonly state?: JsonValue
  /** Counts as a failed attempt. Without it, attempts are counted from zero. */
  readonly failure?: Failure
  readonly at: number
}

/** Work without a person: rows with a due time. Nobody reaches the jobs of another user. */
export interface JobStore {
  /** Adds a job. If the user has one with this id, it changes nothing and answers with that one. */
  add(job: NewJob): MaybePromise<{ readonly job: JobRow; readonly added: boolean }>
  get(userId: string, id: string): MaybePromise<JobRow | undefined>
  /** Newest first by `createdAt`. */
  list(userId: string, query?: JobQuery): MaybePromise<readonly JobRow[]>
  /**
   * Changes a job if its status is one of `from`; default: any. Answers with the job as it is now; undefined when there is no
   * such job, or its status is another. It counts more than the end of a run that is under way: a cancelled job stays
   * cancelled, and a paused one stays paused unless the run has done all there was to do.
   */
  change(
    userId: string,
    id: string,
    change: JobChange,
    from?: readonly JobStatus[],
  ): MaybePromise<JobRow | undefined>
  /** False when there is no such job. */
  remove(userId: string, id: string): MaybePromise<boolean>
  /** Deletes all jobs of a user. Answers how many there were. */
  removeAllOf(userId: string): MaybePromise<number>
  /**
   * Makes jobs that are due `running`, those that were due first at first. Two nodes never get the same job, nor jobs of a
   * user with the same key, as long as the leases are renewed and the clocks of the nodes differ by less than a lease.
   */
  claimDue(query: ClaimQuery): MaybePromise<readonly ClaimedJob[]>
  /** Extends the lease to `until`. False: the claim is over, or a person paused or cancelled the job. The run should end. */
  renew(claim: JobClaim, until: number): MaybePromise<boolean>
  /** Keeps what a run has reached so far. False, and nothing is kept: the claim is over, or the job was cancelled. */
  save(claim: JobClaim, state: JsonValue): MaybePromise<boolean>
  /** Ends a run. False, and nothing is kept: the claim is over, or the job was cancelled. */
  end(claim: JobClaim, end: JobEnd): MaybePromise<boolean>
  /** When the next of these jobs is due, or the lease of a running one ends. Undefined: none will be. */
  nextDueAt(query: DueQuery): MaybePromise<number | undefined>
}
