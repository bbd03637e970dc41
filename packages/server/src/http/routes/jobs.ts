import type { JobPage, JobSummary } from '@capstan/protocol'
import { JOB_STATUSES } from '@capstan/protocol'
import { z } from 'zod'
import type { Jobs } from '../../jobs/jobs.ts'
import { toJobSummary } from '../../jobs/to-job-summary.ts'
import { ApiError, notFound } from '../api-error.ts'
import type { Route } from '../route.ts'
import { defineRoute } from '../route.ts'
import { anyId, count, failure, milliseconds } from '../schemas/common.ts'
import { describes } from '../schemas/describes.ts'

const jobStatus = z.enum(JOB_STATUSES)
export const jobSummary = describes<JobSummary>()(
  z.strictObject({
    id: z.string(),
    kind: z.string(),
    title: z.string(),
    status: jobStatus,
    nextAt: milliseconds.optional(),
    attempts: count,
    lastStartedAt: milliseconds.optional(),
    lastEndedAt: milliseconds.optional(),
    lastFailure: failure.optional(),
    createdAt: milliseconds,
  }),
).meta({ id: 'JobSummary' })
const jobPage = describes<JobPage>()(z.strictObject({ jobs: z.array(jobSummary), hasMore: z.boolean() }))

const MAX_JOBS = 200

const listJobs = defineRoute({
  method: 'GET',
  path: '/api/jobs',
  summary: 'Work without a person, newest first. "after" is the id of the last job of the page before.',
  rights: 'user',
  query: {
    kind: anyId.optional(),
    status: jobStatus.optional(),
    after: anyId.optional(),
    limit: z.coerce.number().int().min(1).max(MAX_JOBS).default(50),
  },
  answer: jobPage,
  async handle({ assistant: { jobs }, caller, query: { kind, status, after, limit } }) {
    const cursor = after === undefined ? undefined : await jobs.get(caller.userId, after)
    if (after !== undefined && !cursor) throw notFound()
    const found = await jobs.list(caller.userId, {
      ...(kind !== undefined && { kind }),
      ...(status !== undefined && { status }),
      ...(cursor && { cursor }),
      limit: limit + 1,
    })
    return { jobs: found.slice(0, limit).map(toJobSummary), hasMore: found.length > limit }
  },
})

const readJob = defineRoute({
  method: 'GET',
  path: '/api/jobs/:jobId',
  summary: 'One job.',
  rights: 'user',
  params: { jobId: anyId },
  answer: jobSummary,
  async handle({ assistant, caller, params }) {
    const job = await assistant.jobs.get(caller.userId, params.jobId)
    if (!job) throw notFound()
    return toJobSummary(job)
  },
})

const defineAction = (
  name: string,
  action: 'pause' | 'resume' | 'runNow' | 'cancel',
  summary: string,
): Route =>
  defineRoute({
    method: 'POST',
    path: `/api/jobs/:jobId/${name}`,
    summary,
    rights: 'user',
    params: { jobId: anyId },
    answer: jobSummary,
    async handle({ assistant, caller, params }) {
      const receipt: Awaited<ReturnType<Jobs['pause']>> = await assistant.jobs[action](
        caller.userId,
        params.jobId,
      )
      if (!receipt) throw notFound()
      if (!receipt.changed)
        throw new ApiError('conflict', `This is not possible: the job is ${receipt.job.status}.`)
      return toJobSummary(receipt.job)
    },
  })

export const JOB_ROUTES = [
  listJobs,
  readJob,
  defineAction('pause', 'pause', 'Pauses a job that waits or runs.'),
  defineAction('resume', 'resume', 'Lets a paused job go on at the time it had.'),
  defineAction('run-now', 'runNow', 'Runs a job now that waits, is paused or has failed.'),
  defineAction('cancel', 'cancel', 'Ends a job for good.'),
]
