import type { SyncProgress } from '@capstan/protocol'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import { useLoaded } from '../../socket/use-loaded.ts'

/** How far a job is. */
export interface JobProgress {
  readonly seen: number
  readonly expected?: number
}

/** How far the jobs are that report it, by the id of the job. Only a sync does. */
export function useProgress(): ReadonlyMap<string, JobProgress> {
  const api = useApi()
  const { data, reload } = useLoaded('progress of jobs', (signal) => api.syncs({ signal }))
  useServerEvent('jobs-change', reload)
  return new Map(
    (data?.syncs ?? []).flatMap(({ job, progress }) =>
      job && progress ? [[job.id, toProgress(progress)]] : [],
    ),
  )
}

function toProgress({ added, changed, unchanged, tooOld, failed, expected }: SyncProgress): JobProgress {
  const seen = added + changed + unchanged + tooOld + failed
  return { seen, ...(expected !== undefined && expected >= seen && { expected }) }
}
