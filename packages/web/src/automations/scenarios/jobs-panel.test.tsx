// @vitest-environment jsdom
import { ApiError } from '@capstan/client'
import type { ApiClient } from '@capstan/client'
import type { Failure, JobSummary, SyncView } from '@capstan/protocol'
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { createFakeServer } from '../../socket/fake-server.fixture.ts'
import { ServerProvider } from '../../socket/server-context.tsx'
import { ToastProvider } from '../../ui/overlays/toast.tsx'
import { JobsPanel } from '../jobs/jobs-panel.tsx'

afterEach(cleanup)

const FAILURE: Failure = {
  class: 'service_unavailable',
  category: 'transient',
  cause: 'The service is away.',
  next: 'Try again later.',
  recoverable: true,
}

const job = (id: string, more: Partial<JobSummary> = {}): JobSummary => ({
  id,
  kind: 'sync',
  title: `Job ${id}`,
  status: 'waiting',
  nextAt: Date.now() + 3_600_000,
  attempts: 0,
  createdAt: 1,
  ...more,
})

function open(answers: Partial<ApiClient>) {
  const server = createFakeServer({ syncs: async () => ({ syncs: [] }), ...answers })
  render(
    <ServerProvider api={server.api} socket={server.socket}>
      <ToastProvider>
        <JobsPanel />
      </ToastProvider>
    </ServerProvider>,
  )
  return server
}

const card = (title: string) => screen.findByRole('article', { name: title })

it('a failed job says how often, why, and what to do; one that runs says how far it is', async () => {
  const failed = job('a', { status: 'failed', attempts: 8, lastFailure: FAILURE })
  const running = job('b', { status: 'running' })
  const counts = { pages: 1, added: 40, changed: 5, unchanged: 4, removed: 0, tooOld: 1, failed: 0 }
  const sync = { job: running, progress: { ...counts, expected: 200 } } as SyncView
  open({
    jobs: async () => ({ jobs: [failed, running], hasMore: false }),
    syncs: async () => ({ syncs: [sync] }),
  })
  const failure = await card('Job a')
  expect(failure.textContent).toContain('Failed attempts: 8')
  expect(within(failure).getByText('What to do next')).toBeDefined()
  expect(within(failure).queryByRole('button', { name: 'Pause' })).toBeNull()
  await within(await card('Job b')).findByRole('progressbar', { name: 'Looked at: 50 of about 200' })
})

it('a job that cannot be changed any more says so, and the list is read again', async () => {
  const jobs = vi.fn(async () => ({ jobs: [job('a')], hasMore: false }))
  const conflict = new ApiError({ code: 'conflict', message: 'The job is done.' })
  open({ jobs, changeJob: () => Promise.reject(conflict) })
  fireEvent.click(within(await card('Job a')).getByRole('button', { name: 'Pause' }))
  await screen.findByText(/^It has changed in the meantime/)
  await waitFor(() => expect(jobs).toHaveBeenCalledTimes(2))
})

it('older jobs are read on request, and stay when the newest change', async () => {
  const jobs = vi.fn(async ({ after }: { readonly after?: string } = {}) =>
    after === undefined
      ? { jobs: [job('a', { createdAt: 2 })], hasMore: true }
      : { jobs: [job('b')], hasMore: false },
  )
  const server = open({ jobs })
  fireEvent.click(await screen.findByRole('button', { name: 'Show more jobs' }))
  await card('Job b')
  expect(jobs).toHaveBeenLastCalledWith({ limit: 50, after: 'a' })
  act(() => server.send('jobs-change'))
  await waitFor(() => expect(jobs).toHaveBeenCalledTimes(3))
  expect(screen.getAllByRole('article').map((one) => one.querySelector('h2')?.textContent)).toEqual([
    'Job a',
    'Job b',
  ])
})

it('a list that cannot be read is not an empty one', async () => {
  open({})
  await screen.findByText('The jobs could not be loaded')
  expect(screen.queryByText('Nothing runs by itself yet')).toBeNull()
})
