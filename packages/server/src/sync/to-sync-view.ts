import type { JobRow } from '@capstan/harness/stores'
import type { ConnectionRow, SyncProgress, SyncView } from '@capstan/protocol'
import { toJobSummary } from '../jobs/to-job-summary.ts'
import { DEFAULT_SETTINGS, readBody, readMemo } from './sync-body.ts'

const MOST_PROBLEMS = 5

/** A sync as screens show it. A job that is over, or that only forgets, is a sync that is off. */
export function toSyncView(connection: ConnectionRow, job: JobRow | undefined): SyncView {
  const { id: connectionId, toolkit, label } = connection
  const about = { connectionId, toolkit, label }
  if (!job || !isOn(job)) return { ...about, isOn: false, settings: DEFAULT_SETTINGS, problems: [] }
  const { settings, expected } = readBody(job)
  const sync = readMemo(job)?.sync
  const progress: SyncProgress | undefined = sync && {
    ...sync.counts,
    ...(expected !== undefined && { expected }),
  }
  const usedUp = sync?.end === 'requests' || sync?.end === 'tokens' ? sync.end : undefined
  return {
    ...about,
    isOn: true,
    settings,
    job: toJobSummary(job),
    ...(progress && { progress }),
    ...(sync?.lastDoneAt !== undefined && { lastDoneAt: sync.lastDoneAt }),
    ...(usedUp && { usedUp }),
    problems: (sync?.problems ?? []).slice(0, MOST_PROBLEMS),
  }
}

/** Whether the job syncs, now or later. */
export const isOn = (job: JobRow): boolean =>
  job.status !== 'done' && job.status !== 'cancelled' && !readBody(job).forget
