import type { JobPage, JobStatus, JobSummary } from '@capstan/protocol'
import type { Sender } from './sender.ts'
import { route } from './sender.ts'

interface Options {
  readonly signal?: AbortSignal
}

/** Work without a person. */
export interface JobsApi {
  /** Work without a person, newest first. `after`: the id of the last job of the page before. */
  jobs(
    query?: Options & {
      readonly kind?: string
      readonly status?: JobStatus
      readonly after?: string
      readonly limit?: number
    },
  ): Promise<JobPage>
  job(jobId: string, options?: Options): Promise<JobSummary>
  /** Rejects with `conflict` when the state of the job does not allow it. */
  changeJob(
    jobId: string,
    action: 'pause' | 'resume' | 'run-now' | 'cancel',
    options?: Options,
  ): Promise<JobSummary>
}

export function jobsApi({ json }: Sender): JobsApi {
  return {
    jobs: ({ signal, ...query } = {}) => json('GET', '/api/jobs', { signal, query }),
    job: (jobId, given) => json('GET', route`/api/jobs/${jobId}`, given),
    changeJob: (jobId, action, given) => json('POST', route`/api/jobs/${jobId}/${action}`, given),
  }
}
