import type { JsonValue } from '../../turn/json.ts'
import type { ClaimQuery, ClaimedJob, JobChange, JobClaim, JobEnd, JobRow, NewJob } from '../job-store.ts'

/** A job as a store keeps it. Every store changes it by the functions below, so that they keep the same promises. */
export interface StoredJob {
  readonly job: JobRow
  readonly epoch: number
  /** Until when a run may be under way. Also a job that was paused meanwhile has it until the run ends. */
  readonly leaseUntil?: number
  readonly owner?: string
  readonly interruptions: number
}

/** A job that was not there before. */
export const toNewJob = ({ id, userId, kind, key, title, body, ...job }: NewJob): StoredJob => ({
  job: {
    id,
    userId,
    kind,
    key,
    title,
    body,
    state: job.state ?? null,
    status: 'waiting',
    nextAt: job.nextAt,
    attempts: 0,
    createdAt: job.createdAt,
  },
  epoch: 0,
  interruptions: 0,
})

/** When the job may be claimed. Undefined: it is not, until somebody changes it. */
export function toDueAt({ job, leaseUntil = -Infinity }: StoredJob): number | undefined {
  if (job.status === 'waiting') return Math.max(job.nextAt ?? job.createdAt, leaseUntil)
  return job.status === 'running' ? leaseUntil : undefined
}

/** After a change by a person. */
export function toChangedJob(stored: StoredJob, change: JobChange): StoredJob {
  const { title = stored.job.title, body = stored.job.body, nextAt = stored.job.nextAt } = change
  const job = withTime({ ...stored.job, title, body }, nextAt)
  switch (change.status) {
    case 'cancelled':
      return { ...stored, job: withTime({ ...job, status: 'cancelled' }) }
    case 'paused':
      return { ...stored, job: { ...job, status: 'paused' } }
    case 'waiting':
      if (job.status === 'running') return { ...stored, job }
      return {
        ...stored,
        job: { ...job, status: 'waiting', attempts: 0, nextAt: nextAt ?? job.lastStartedAt ?? job.createdAt },
        interruptions: 0,
      }
    case undefined:
      return { ...stored, job }
  }
}

/**
 * After it was claimed. An epoch is never smaller than the time, so that a claim of a job that was removed does not fit
 * another one that was added under the same id.
 */
export function toClaimedJob(
  stored: StoredJob,
  { now, owner, leaseMs }: Pick<ClaimQuery, 'now' | 'owner' | 'leaseMs'>,
): StoredJob {
  return {
    job: withTime({ ...stored.job, status: 'running', lastStartedAt: now }),
    epoch: Math.max(stored.epoch + 1, Math.floor(now)),
    leaseUntil: now + leaseMs,
    owner,
    interruptions: stored.job.status === 'running' ? stored.interruptions + 1 : stored.interruptions,
  }
}

/** What the node that claimed it gets. */
export const toClaim = ({ job, epoch, interruptions }: StoredJob): ClaimedJob => ({
  userId: job.userId,
  id: job.id,
  epoch,
  job,
  interruptions,
})

/** After its lease was extended. Undefined: refused. */
export function toRenewedJob(stored: StoredJob, claim: JobClaim, until: number): StoredJob | undefined {
  if (!isHeldBy(stored, claim) || stored.job.status !== 'running') return undefined
  return { ...stored, leaseUntil: until }
}

/** After a run has kept something. Undefined: refused. */
export function toSavedJob(stored: StoredJob, claim: JobClaim, state: JsonValue): StoredJob | undefined {
  if (!isHeldBy(stored, claim) || stored.job.status === 'cancelled') return undefined
  return { ...stored, job: { ...stored.job, state }, interruptions: 0 }
}

/** After a run. Undefined: refused. A cancelled job is no longer held, and otherwise stays as it is. */
export function toEndedJob(stored: StoredJob, claim: JobClaim, end: JobEnd): StoredJob | undefined {
  if (!isHeldBy(stored, claim)) return undefined
  const { leaseUntil: _over, owner: _node, ...rest } = stored
  if (stored.job.status === 'cancelled') return { ...rest, job: stored.job }
  const { lastFailure: _before, ...before } = stored.job
  const { state = before.state, failure, at } = end
  const job: JobRow = {
    ...before,
    state,
    attempts: failure ? before.attempts + 1 : 0,
    lastEndedAt: at,
    ...(failure && { lastFailure: failure }),
  }
  return { ...rest, job: toNextStatus(job, end), interruptions: 0 }
}

/** What a person said meanwhile counts more than the end. */
function toNextStatus(job: JobRow, { status, nextAt, at }: JobEnd): JobRow {
  if (status === 'done') return withTime({ ...job, status })
  const next = job.nextAt ?? (status === 'waiting' ? (nextAt ?? at) : undefined)
  if (job.status !== 'running') return withTime(job, next)
  return withTime({ ...job, status: next === undefined ? status : 'waiting' }, next)
}

const isHeldBy = ({ epoch, leaseUntil }: StoredJob, claim: JobClaim): boolean =>
  epoch === claim.epoch && leaseUntil !== undefined

function withTime({ nextAt: _before, ...job }: JobRow, nextAt?: number): JobRow {
  return { ...job, ...(nextAt !== undefined && { nextAt }) }
}
