import { createThreads } from '@capstan/harness'
import { calls, ScriptedModel, stubTool } from '@capstan/harness/testing'
import type { ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { usePostgres } from '../../../stores/src/postgres/fixtures/postgres-server.fixture.ts'
import { untilIdle } from './until-idle.ts'

const postgres = usePostgres()
const THREAD = 'thread_1' as ThreadId

it('a turn that was interrupted, and that no node has, is not waited for', async () => {
  const store = await postgres.open({ nodeId: 'a' })
  const reading = Promise.withResolvers<void>()
  const read = stubTool('read', () => (reading.resolve(), new Promise<never>(() => {})))
  const threads = createThreads({ store, agent: { model: new ScriptedModel(calls('read')), tools: [read] } })
  await threads.create({ id: THREAD })
  await store.ownership!.claim(THREAD)
  await (await threads.open(THREAD)).submit('Go.')
  await reading.promise
  let isIdle = false
  const idle = untilIdle(store.database, ['local']).then(() => {
    isIdle = true
  })
  await threads.stop({ graceMs: 0 })
  expect(await store.runs.unfinished()).toMatchObject([{ status: 'running' }])
  expect(isIdle).toBe(false)
  await store.ownership!.release(THREAD)
  await idle
})
