import type { CallId, RunId, RunPage, ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { startTestServer } from '../test-server.fixture.ts'

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

it('GET /api/runs/:runId/transcript shows the conversation of a sub-agent and of nobody else', async () => {
  const server = await startTestServer()
  const client = await server.logIn()
  const { threads, ledger } = server.assistant.store
  const threadId = 'thread_1' as ThreadId
  await threads.create({ id: threadId, userId: 'local', at: 1000 })
  const run = (id: string, conversationId: string, depth: number) =>
    ({
      type: 'run-start',
      at: 1000,
      run: {
        runId: id as RunId,
        conversationId,
        agent: 'worker',
        depth,
        origin: 'web',
        model: 'm',
        budget: {},
        text: '',
        ...(depth > 0 && { parent: { runId: 'run_1' as RunId, callId: 'call_1' as CallId } }),
      },
    }) as const
  const said = (id: string, text: string) =>
    ({
      type: 'message',
      at: 1000,
      runId: id as RunId,
      message: { role: 'user', parts: [{ type: 'text', text }] },
    }) as const
  const opened = (conversationId: string) =>
    ({ type: 'conversation-open', at: 1000, conversationId, agent: 'worker', system: '' }) as const
  await ledger.commit(threadId, [
    opened(threadId),
    run('run_1', threadId, 0),
    said('run_1', 'What the user said.'),
    opened('run_2'),
    run('run_2', 'run_2', 1),
    said('run_2', 'What the sub-agent was told.'),
  ])
  const answer = await client.request('/api/runs/run_2/transcript')
  expect(answer.status).toBe(200)
  const text = await answer.text()
  expect(text).toContain('# worker')
  expect(text).toContain('What the sub-agent was told.')
  expect(text).not.toContain('What the user said.')
  expect((await client.request('/api/runs/run_9/transcript')).status).toBe(404)
})
