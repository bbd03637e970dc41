import type { JobRow, StoredJob } from '@capstan/harness/stores'

/** A job as a row. What people and apps wrote is JSON, because a column cannot hold every text. */
export interface JobColumns {
  readonly user_id: string
  readonly id: string
  readonly kind: string
  readonly key: string
  readonly status: JobRow['status']
  readonly next_at: number | null
  readonly attempts: number
  readonly created_at: number
  readonly started_at: number | null
  readonly ended_at: number | null
  /** Text where a driver gives large numbers as text. */
  readonly epoch: number | string
  readonly lease_until: number | null
  readonly owner: string | null
  readonly interruptions: number
  /** The title, the body and the failure. */
  readonly details: string
  readonly state: string
}

type Details = Pick<JobRow, 'title' | 'body' | 'lastFailure'>

/** The columns, in the order of `toJobValues`. */
export const JOB_COLUMNS = [
  'user_id',
  'id',
  'kind',
  'key',
  'status',
  'next_at',
  'attempts',
  'created_at',
  'started_at',
  'ended_at',
  'epoch',
  'lease_until',
  'owner',
  'interruptions',
  'details',
  'state',
] as const satisfies readonly (keyof JobColumns)[]

export function toJobValues({ job, ...stored }: StoredJob): (string | number | null)[] {
  const { title, body, lastFailure } = job
  const details: Details = { title, body, ...(lastFailure && { lastFailure }) }
  const columns: JobColumns = {
    user_id: job.userId,
    id: job.id,
    kind: job.kind,
    key: job.key,
    status: job.status,
    next_at: job.nextAt ?? null,
    attempts: job.attempts,
    created_at: job.createdAt,
    started_at: job.lastStartedAt ?? null,
    ended_at: job.lastEndedAt ?? null,
    epoch: stored.epoch,
    lease_until: stored.leaseUntil ?? null,
    owner: stored.owner ?? null,
    interruptions: stored.interruptions,
    details: JSON.stringify(details),
    state: JSON.stringify(job.state),
  }
  return JOB_COLUMNS.map((name) => columns[name])
}

export function toStoredJob(row: JobColumns): StoredJob {
  const details = JSON.parse(row.details) as Details
  return {
    job: {
      id: row.id,
      userId: row.user_id,
      kind: row.kind,
      key: row.key,
      status: row.status,
      ...(row.next_at !== null && { nextAt: row.next_at }),
      attempts: row.attempts,
      createdAt: row.created_at,
      ...(row.started_at !== null && { lastStartedAt: row.started_at }),
      ...(row.ended_at !== null && { lastEndedAt: row.ended_at }),
      ...details,
      state: JSON.parse(row.state) as JobRow['state'],
    },
    epoch: Number(row.epoch),
    ...(row.lease_until !== null && { leaseUntil: row.lease_until }),
    ...(row.owner !== null && { owner: row.owner }),
    interruptions: row.interruptions,
  }
}
