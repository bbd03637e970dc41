import type { JobPage, JobSummary } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

async function start(count: number) {
  const server = await startTestServer()
  const { jobs } = server.assistant
  for (let n = 1; n <= count; n++)
    await jobs.add({
      id: `job ${n}/ä`,
      userId: 'local',
      kind: n === 2 ? 'schedule' : 'sync',
      key: `key_${n}`,
      title: `Job ${n}`,
      body: { secret: 'of the handler' },
      nextAt: 4_000_000_000_000,
    })
  return { server, jobs, client: await server.logIn() }
}

it('jobs over HTTP are listed in pages, by kind and status, without what handlers keep', async () => {
  const { client } = await start(3)
  const all: string[] = []
  for (let after: string | undefined; ;) {
    const query = after === undefined ? '' : `&after=${encodeURIComponent(after)}`
    const page = await client.json<JobPage>('GET', `/api/jobs?limit=2${query}`)
    all.push(...page.jobs.map(({ title }) => title))
    if (!page.hasMore) break
    after = page.jobs.at(-1)!.id
  }
  expect(all.toSorted()).toEqual(['Job 1', 'Job 2', 'Job 3'])
  const { jobs } = await client.json<JobPage>('GET', '/api/jobs?kind=schedule&status=waiting')
  expect(jobs).toEqual([
    {
      id: 'job 2/ä',
      kind: 'schedule',
      title: 'Job 2',
      status: 'waiting',
      nextAt: 4_000_000_000_000,
      attempts: 0,
      createdAt: expect.any(Number) as number,
    },
  ])
})

it('a job over HTTP is paused, resumed, run and cancelled, and pages hear of it', async () => {
  const { client, server } = await start(1)
  const updates: string[] = []
  server.assistant.onUpdate(({ type }) => updates.push(type))
  const path = `/api/jobs/${encodeURIComponent('job 1/ä')}`
  const send = (action: string) => client.json<JobSummary>('POST', `${path}/${action}`)
  expect(await send('pause')).toMatchObject({ status: 'paused' })
  expect((await client.request(`${path}/pause`, { method: 'POST' })).status).toBe(409)
  expect(await send('resume')).toMatchObject({ status: 'waiting', nextAt: 4_000_000_000_000 })
  expect((await send('run-now')).nextAt).toBeLessThanOrEqual(Date.now())
  expect(await send('cancel')).toMatchObject({ status: 'cancelled' })
  expect((await client.request(`${path}/run-now`, { method: 'POST' })).status).toBe(409)
  expect(await client.json('GET', path)).toMatchObject({ status: 'cancelled' })
  expect(updates).toEqual(Array.from({ length: 4 }, () => 'jobs-change'))
})
