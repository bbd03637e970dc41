import type { JobRow, JobStore } from '@capstan/harness/stores'
import type { JobStatus, JobSummary } from '@capstan/protocol'
import { openServerApi } from '../../server-access/call-server.ts'
import { findServer } from '../../server-access/server-file.ts'
import type { Shell } from '../../shell/shell.ts'
import { CommandError } from '../../shell/shell.ts'
import { homeOf, USER_ID } from '../../store-access/open-store.ts'
import { withStore } from '../../store-access/with-store.ts'

/** What a person does with a job. */
export type JobAction = 'pause' | 'resume' | 'run-now' | 'cancel'

const CHANGES = {
  pause: { to: 'paused', from: ['waiting', 'running'] },
  resume: { to: 'waiting', from: ['paused'] },
  'run-now': { to: 'waiting', from: ['waiting', 'paused', 'failed'] },
  cancel: { to: 'cancelled', from: ['waiting', 'running', 'paused', 'failed'] },
} as const satisfies Record<JobAction, { readonly to: JobStatus; readonly from: readonly JobStatus[] }>

/** Changes a job through the running server, or in the data folder when there is none. */
export async function changeJob(
  id: string,
  action: JobAction,
  home: string | undefined,
  shell: Shell,
): Promise<JobSummary> {
  const folder = homeOf(home, shell.env)
  const server = findServer(folder)
  if (server) {
    const call = await openServerApi(folder, server)
    return call((api) => api.changeJob(id, action))
  }
  return withStore(shell, { home, readOnly: false }, ({ jobs }) => changeStored(jobs, id, action))
}

async function changeStored(jobs: JobStore, id: string, action: JobAction): Promise<JobRow> {
  const { to, from } = CHANGES[action]
  const change = { status: to, ...(action === 'run-now' && { nextAt: Date.now() }) }
  const changed = await jobs.change(USER_ID, id, change, from)
  if (changed) return changed
  const job = await jobs.get(USER_ID, id)
  if (!job) throw unknownJob(id)
  throw new CommandError(`This is not possible: the job is ${job.status}.`, {
    class: 'conflict',
    next: '"capstan jobs show" shows what it is doing.',
  })
}

export const unknownJob = (id: string): CommandError =>
  new CommandError(`There is no job "${id}".`, {
    class: 'not_found',
    next: '"capstan jobs list" lists those that there are.',
  })
