import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fill } from '../../fixtures/sample-records.fixture.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'
import { checkDatabase } from './check-database.ts'

const postgres = usePostgres()
const ENV = { CAPSTAN_SECRET_KEY: KEY }

const byId = async (url: string, env: Record<string, string> = ENV) => {
  const checks = await checkDatabase({ url, env })
  return Object.fromEntries(checks.map((check) => [check.id, check]))
}

describe('the check of a database', () => {
  it('finds what is good, and that the server of the tests does not flush', async () => {
    const store = await postgres.open()
    await fill(store, 3)
    const found = await byId(postgres.urlOf(store))
    expect(found).toMatchObject({
      connection: { state: 'ok' },
      version: { state: 'ok', found: expect.stringMatching(/^PostgreSQL \d+/) as string },
      encoding: { state: 'ok', found: 'UTF8' },
      durability: { state: 'failed', found: 'fsync off, full_page_writes on, synchronous_commit on' },
      connections: { state: 'ok' },
      extensions: { state: 'ok' },
      clock: { state: 'ok' },
      tables: { state: 'ok' },
      key: { state: 'ok' },
      audit: { state: 'ok', found: 'intact: 5 rows' },
      artifacts: { state: 'ok', found: 'in the database' },
    })
  })

  it('changes nothing in an empty database', async () => {
    const url = await postgres.createUrl()
    expect(await byId(url)).toMatchObject({ tables: { state: 'warning' }, key: { state: 'ok' } })
    expect(await postgres.run(url, 'SELECT FROM pg_tables WHERE schemaname = current_schema()')).toEqual([])
  })

  it('finds another key, a changed row and tables of a newer version', async () => {
    const store = await postgres.open()
    await fill(store, 3)
    const url = postgres.urlOf(store)
    expect(await byId(url, { CAPSTAN_SECRET_KEY: 'b2'.repeat(32) })).toMatchObject({
      key: { state: 'failed' },
    })
    expect(await byId(url, {})).toMatchObject({ key: { state: 'failed' } })
    await postgres.run(url, `UPDATE journal SET body = replace(body, 'part 2', 'part 9')`)
    expect(await byId(url)).toMatchObject({ audit: { state: 'failed' } })
    await postgres.run(url, 'UPDATE schema_version SET version = 99, oldest_code = 99')
    expect(await byId(url)).toMatchObject({ tables: { state: 'failed' } })
    await postgres.run(url, 'UPDATE schema_version SET version = 2, oldest_code = 1')
  })

  it('says that a database cannot be reached, without the password', async () => {
    const silent = createServer((socket) => socket.destroy()).listen(0, '127.0.0.1')
    onTestFinished(() => void silent.close())
    await new Promise((resolve) => silent.once('listening', resolve))
    const { port } = silent.address() as AddressInfo
    const checks = await checkDatabase({ url: `postgres://ann:hunter2@127.0.0.1:${port}/x`, env: ENV })
    expect(checks).toEqual([expect.objectContaining({ id: 'connection', state: 'failed' })])
    expect(JSON.stringify(checks)).not.toContain('hunter2')
  })

  it('says what is wrong with the bucket', async () => {
    const url = await postgres.createUrl()
    const found = await byId(url, { ...ENV, CAPSTAN_ARTIFACTS: 's3://artifacts' })
    expect(found).toMatchObject({
      artifacts: { state: 'failed', found: expect.stringContaining('AWS_ACCESS_KEY_ID') as string },
    })
  })
})

it('says so when a file that the address names cannot be read', async () => {
  const url = 'postgres://ann:hunter2@127.0.0.1:1/x?sslmode=require&sslcert=/nonexistent'
  const [check, ...others] = await checkDatabase({ url, env: {} })
  expect(check).toMatchObject({ state: 'failed', found: expect.stringContaining('/nonexistent') as string })
  expect(others).toEqual([])
})
