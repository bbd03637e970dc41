import type { JobPage, JobStatus, JobSummary } from '@capstan/protocol'
import { useEffect, useState } from 'react'
import { useApi, useServerEvent } from '../../socket/server-context.tsx'
import type { Loaded } from '../../socket/use-loaded.ts'
import { useLoaded } from '../../socket/use-loaded.ts'
import { useReason } from '../../socket/use-reason.ts'
import { useToast } from '../../ui/overlays/toast.tsx'

const PAGE_SIZE = 50

export type JobAction = 'pause' | 'resume' | 'run' | 'cancel'

export interface JobFilter {
  readonly kind: string
  readonly status: JobStatus | ''
}

export interface JobList extends Pick<Loaded<JobPage>, 'error' | 'reload'> {
  /** Undefined: not read yet. */
  readonly jobs: readonly JobSummary[] | undefined
  /** Reads the next page. Undefined: there is none. */
  readonly more: (() => Promise<void>) | undefined
  /** Says why it was refused. Never rejects. */
  readonly change: (job: JobSummary, action: Exclude<JobAction, 'cancel'>) => Promise<void>
  /** Rejects when it is refused. */
  readonly cancel: (job: JobSummary) => Promise<void>
}

/** The jobs, newest first. The first page is read again when jobs change, and older ones stay. */
export function useJobs({ kind, status }: JobFilter): JobList {
  const api = useApi()
  const toast = useToast()
  const reason = useReason()
  const query = { limit: PAGE_SIZE, ...(kind !== '' && { kind }), ...(status !== '' && { status }) }
  const first = useLoaded(`jobs ${kind} ${status}`, (signal) => api.jobs({ ...query, signal }))
  const [older, setOlder] = useState<readonly JobPage[]>([])
  useServerEvent('jobs-change', first.reload)
  useEffect(() => setOlder([]), [kind, status])

  const pages = first.data ? [first.data, ...older] : []
  const jobs = [
    ...new Map(pages.toReversed().flatMap((page) => page.jobs.map((job) => [job.id, job]))).values(),
  ]
  const last = pages.at(-1)
  const after = last?.hasMore ? last.jobs.at(-1)?.id : undefined

  async function readMore(id: string): Promise<void> {
    try {
      const page = await api.jobs({ ...query, after: id })
      setOlder((known) => [...known, page])
    } catch (refusal) {
      toast({ text: reason(refusal), tone: 'fail' })
    }
  }

  return {
    jobs: first.data && jobs.toSorted((one, other) => other.createdAt - one.createdAt),
    error: first.error,
    reload: first.reload,
    more: after === undefined ? undefined : () => readMore(after),
    async change({ id }, action) {
      try {
        await api.changeJob(id, action === 'run' ? 'run-now' : action)
      } catch (refusal) {
        toast({ text: reason(refusal), tone: 'fail' })
      }
      first.reload()
    },
    async cancel({ id }) {
      await api.changeJob(id, 'cancel')
      first.reload()
    },
  }
}
