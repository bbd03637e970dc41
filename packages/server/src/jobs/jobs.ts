import type { JobChange, JobQuery, JobRow, JobStore, NewJob } from '@capstan/harness/stores'
import type { JobStatus } from '@capstan/protocol'
import type { JobHandler } from './job-handler.ts'

/** Work without a person, as the rest of the server uses it. Screens and the runner know of each change. */
export interface Jobs {
  /** Jobs of its kind run from now on. Until then they wait. */
  register(handler: JobHandler): void
  /** If the user has a job with this id, it changes nothing and answers with that one. */
  add(job: Omit<NewJob, 'createdAt'>): Promise<{ readonly job: JobRow; readonly added: boolean }>
  get(userId: string, id: string): Promise<JobRow | undefined>
  list(userId: string, query?: JobQuery): Promise<readonly JobRow[]>
  /** See `JobStore.change`. */
  change(
    userId: string,
    id: string,
    change: JobChange,
    from?: readonly JobStatus[],
  ): Promise<JobRow | undefined>
  /** For a job that waits or runs. */
  pause(userId: string, id: string): Promise<JobReceipt>
  /** For a paused job: it waits for the time it had. */
  resume(userId: string, id: string): Promise<JobReceipt>
  /** For a job that waits, is paused or has failed. */
  runNow(userId: string, id: string): Promise<JobReceipt>
  /** For a job that is not over. */
  cancel(userId: string, id: string): Promise<JobReceipt>
  remove(userId: string, id: string): Promise<boolean>
}

/** The job as it is now, and whether it was changed: not every state allows it. Undefined: there is no such job. */
type JobReceipt = { readonly job: JobRow; readonly changed: boolean } | undefined

/** What changes of jobs reach. */
export interface JobsParts {
  readonly store: JobStore
  readonly runner: {
    register(handler: JobHandler): void
    wake(): void
    check(userId: string, id: string): void
  }
  readonly publish: (userId: string) => void
  readonly now: () => number
}

export function createJobs({ store, runner, publish, now }: JobsParts): Jobs {
  const note = (userId: string, id: string): void => {
    publish(userId)
    runner.check(userId, id)
    runner.wake()
  }
  const change: Jobs['change'] = async (userId, id, wanted, from) => {
    const job = await store.change(userId, id, wanted, from)
    if (job) note(userId, id)
    return job
  }
  const act =
    (toChange: () => JobChange, from: readonly JobStatus[]) =>
    async (userId: string, id: string): Promise<JobReceipt> => {
      const changed = await change(userId, id, toChange(), from)
      if (changed) return { job: changed, changed: true }
      const job = await store.get(userId, id)
      return job && { job, changed: false }
    }
  return {
    register: (handler) => runner.register(handler),
    async add(job) {
      const answer = await store.add({ ...job, createdAt: now() })
      if (answer.added) note(job.userId, job.id)
      return answer
    },
    get: async (userId, id) => store.get(userId, id),
    list: async (userId, query) => store.list(userId, query),
    change,
    pause: act(() => ({ status: 'paused' }), ['waiting', 'running']),
    resume: act(() => ({ status: 'waiting' }), ['paused']),
    runNow: act(() => ({ status: 'waiting', nextAt: now() }), ['waiting', 'paused', 'failed']),
    cancel: act(() => ({ status: 'cancelled' }), ['waiting', 'running', 'paused', 'failed']),
    async remove(userId, id) {
      const isRemoved = await store.remove(userId, id)
      if (isRemoved) note(userId, id)
      return isRemoved
    },
  }
}
