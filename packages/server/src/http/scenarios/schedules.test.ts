import type { ApiProblem, ScheduleList, SchedulePreview, ScheduleRow } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

const POST = { prompt: 'Summarise my mail.', when: 'every weekday at eight', zone: 'Europe/Berlin' }

it('a schedule over HTTP is added, changed, paused, resumed, run and deleted', async () => {
  const server = await startTestServer()
  const client = await server.logIn()
  const added = await client.json<ScheduleRow>('POST', '/api/schedules', POST)
  expect(added).toMatchObject({
    ...POST,
    title: 'Summarise my mail.',
    cron: '0 8 * * 1-5',
    misfire: 'once',
    limits: { usd: 1, minutes: 30 },
    status: 'waiting',
    runs: [],
  })
  expect(added.nextRuns).toHaveLength(5)
  const path = `/api/schedules/${added.id}`
  const patch = { title: 'Mail', when: '0 9 * * *', limits: { usd: 0.2 } }
  expect(await client.json('PATCH', path, patch)).toMatchObject({
    title: 'Mail',
    cron: '0 9 * * *',
    limits: { usd: 0.2, minutes: 30 },
  })
  expect(await client.json('POST', `${path}/pause`)).toMatchObject({ status: 'paused', nextRuns: [] })
  expect((await client.request(`${path}/run-now`, { method: 'POST' })).status).toBe(409)
  expect(await client.json('POST', `${path}/resume`)).toMatchObject({ status: 'waiting' })
  expect(await client.json('POST', `${path}/run-now`)).toMatchObject({ status: 'waiting' })
  expect((await client.json<ScheduleList>('GET', '/api/schedules')).schedules).toHaveLength(1)
  expect((await client.request(path, { method: 'DELETE' })).status).toBe(204)
  expect((await client.request(path)).status).toBe(404)
})

it('a preview over HTTP says when words would run, and a bad time names its field and problem', async () => {
  const client = await (await startTestServer()).logIn()
  const asked = { when: 'mondays at 9', zone: 'America/New_York' }
  const found = await client.json<SchedulePreview>('POST', '/api/schedules/preview', asked)
  expect(found).toMatchObject({ cron: '0 9 * * 1', zone: 'America/New_York' })
  expect(found.nextRuns).toHaveLength(5)
  expect((await client.json<ScheduleList>('GET', '/api/schedules')).schedules).toEqual([])
  const refused = async (body: object): Promise<unknown> => {
    const headers = { 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body: JSON.stringify({ ...POST, ...body }) }
    const { error } = (await (await client.request('/api/schedules', init)).json()) as ApiProblem
    return [error.field, error.problem?.kind]
  }
  expect(await refused({ when: 'soon' })).toEqual(['when', 'when-unclear'])
  expect(await refused({ when: 'every weekday' })).toEqual(['when', 'when-no-time'])
  expect(await refused({ when: 'daily at 8:00 and 9:30' })).toEqual(['when', 'when-mixed'])
  expect(await refused({ when: '0,10 * * * *' })).toEqual(['when', 'when-often'])
  expect(await refused({ when: '0 0 30 2 *' })).toEqual(['when', 'when-never'])
  expect(await refused({ zone: '+02:00' })).toEqual(['zone', 'bad-zone'])
})

it('a schedule in a thread of somebody else is refused like one in an unknown thread', async () => {
  const server = await startTestServer()
  const { id } = await server.assistant.threadsOf('eve').create()
  const client = await server.logIn()
  const headers = { 'content-type': 'application/json' }
  for (const threadId of [id, 'thread_unknown']) {
    const init = { method: 'POST', headers, body: JSON.stringify({ ...POST, threadId }) }
    expect((await client.request('/api/schedules', init)).status).toBe(404)
  }
})
