import type { RunId, RunPage, ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { startTestServer } from './test-server.fixture.ts'

it('GET /api/runs lists every run of the same millisecond once when its cursor is followed', async () => {
  const server = await startTestServer()
  const client = await server.logIn()
  const { threads, ledger } = server.assistant.store
  const threadId = 'thread_1' as ThreadId
  await threads.create({ id: threadId, userId: 'local', at: 1000 })
  for (let no = 0; no < 30; no++) {
    const run = {
      runId: `run_${no}` as RunId,
      conversationId: threadId,
      agent: 'orchestrator',
      depth: 0,
      origin: 'web',
      model: 'm',
      budget: {},
      text: `Question ${no}`,
    } as const
    await ledger.commit(threadId, [{ type: 'run-start', at: 1000, run }])
  }
  const found: string[] = []
  let path = '/api/runs?limit=7'
  for (let pages = 0; pages < 10; pages++) {
    const { runs, nextCursor } = await client.json<RunPage>('GET', path)
    found.push(...runs.map(({ id }) => id))
    if (nextCursor === undefined) break
    path = `/api/runs?limit=7&cursor=${encodeURIComponent(nextCursor)}`
  }
  expect(found).toHaveLength(30)
  expect(new Set(found).size).toBe(30)
  expect((await client.request('/api/runs?cursor=nonsense')).status).toBe(400)
})
