import { expect, it, onTestFinished, vi } from 'vitest'
import { usePostgres } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { openTurnQueue } from './turn-queue.ts'

const postgres = usePostgres()

it('forgets all work that has ended an hour ago, however much it is', async () => {
  const url = await postgres.createUrl()
  const worked: string[] = []
  const queue = await openTurnQueue({
    url,
    schema: 'queue_of_test',
    nodeId: 'a',
    concurrency: 1,
    isWorker: true,
    work: async (threadId) => void worked.push(threadId),
    onProblem: () => {},
  })
  onTestFinished(() => queue.drain(0))
  await queue.add('thread_1')
  const ended = () => postgres.run(url, `SELECT FROM queue_of_test.workflow_status WHERE status = 'SUCCESS'`)
  await vi.waitFor(async () => expect(await ended()).toHaveLength(1), { timeout: 10_000 })
  const columns = await postgres.run<{ name: string }>(
    url,
    `SELECT column_name AS name FROM information_schema.columns
    WHERE table_schema = 'queue_of_test' AND table_name = 'workflow_status' AND column_name <> 'workflow_uuid'`,
  )
  const names = columns.map(({ name }) => `"${name}"`).join(', ')
  await postgres.run(
    url,
    `INSERT INTO queue_of_test.workflow_status (workflow_uuid, ${names})
    SELECT gen_random_uuid()::text, ${names} FROM queue_of_test.workflow_status, generate_series(1, 1200)`,
  )
  const old = Date.now() - 2 * 3_600_000
  await postgres.run(url, `UPDATE queue_of_test.workflow_status SET completed_at = ${old}`)
  await queue.removeOld()
  expect(await ended()).toHaveLength(0)
  expect(worked).toEqual(['thread_1'])
}, 60_000)
