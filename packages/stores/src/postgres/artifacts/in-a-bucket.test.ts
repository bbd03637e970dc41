import { expect, it } from 'vitest'
import { CREDENTIALS, useS3Server } from '../../bucket/s3-server.fixture.ts'
import { fill, THREAD } from '../../fixtures/sample-records.fixture.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'

const postgres = usePostgres()
const s3 = useS3Server()

it('a store on PostgreSQL keeps artifacts in a bucket, counts them and deletes them with their thread', async () => {
  const env = { ...CREDENTIALS, CAPSTAN_SECRET_KEY: KEY, CAPSTAN_ARTIFACTS: s3.url('installation') }
  const store = await postgres.open({ env })
  await fill(store, 1)
  const before = await store.threads.bytesOf(THREAD)
  const writer = store.artifacts.create({ threadId: THREAD, callId: 'call_1', tool: 'shell' })
  await writer.write('a large result')
  const { id } = await writer.close()
  const range = { offset: 0, maxBytes: 100 }
  expect(await store.artifacts.read(THREAD, id, range)).toEqual({ text: 'a large result', bytes: 14 })
  expect(await store.threads.bytesOf(THREAD)).toBe(before + 14)
  expect(await postgres.run(postgres.urlOf(store), 'SELECT * FROM artifacts')).toEqual([])
  await store.threads.delete(THREAD)
  expect(await store.artifacts.read(THREAD, id, range)).toBeUndefined()
})
