import type { Failure } from './failure.ts'

/** All states of a job. */
export const JOB_STATUSES = ['waiting', 'running', 'paused', 'done', 'failed', 'cancelled'] as const

/**
 * What a job is doing. `waiting`: for its time. `paused`: a person stopped it, and it keeps its place. `done`, `failed` and
 * `cancelled`: it does not run again by itself.
 */
export type JobStatus = (typeof JOB_STATUSES)[number]

/** Work without a person, as screens show it. */
export interface JobSummary {
  /** Unique among the jobs of a user. */
  readonly id: string
  /** Who handles it: `sync`, `schedule`, `trigger` … */
  readonly kind: string
  /** One line for a person. */
  readonly title: string
  readonly status: JobStatus
  /** When it is due. A paused job keeps it. */
  readonly nextAt?: number
  /** Failed attempts in a row. */
  readonly attempts: number
  readonly lastStartedAt?: number
  readonly lastEndedAt?: number
  /** Why the last attempt failed. Gone after one that did not. */
  readonly lastFailure?: Failure
  readonly createdAt: number
}

/** A page of jobs, newest first. */
export interface JobPage {
  readonly jobs: readonly JobSummary[]
  readonly hasMore: boolean
}
