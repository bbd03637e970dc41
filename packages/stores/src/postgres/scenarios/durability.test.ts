import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { runToEnd } from '../../fixtures/run-process.fixture.ts'
import { notice, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'

// The log is flushed by nobody but those who wait for it.
const postgres = usePostgres(['wal_writer_delay=10s'])

/** Far more than what the server itself writes meanwhile. */
const MUCH = 100_000
const LARGE = randomBytes(2 * MUCH).toString('hex')

interface Log {
  readonly unflushed: number
  readonly next: string
}

const readLog = async (url: string): Promise<Log> => {
  const [row] = await postgres.run<Log>(
    url,
    `SELECT (pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn())::float8 AS unflushed,
    pg_snapshot_xmax(pg_current_snapshot())::text AS next`,
  )
  return row!
}

it('a commit does not wait for the disk, and a sync makes everything before it safe', async () => {
  const store = await postgres.open()
  const url = postgres.urlOf(store)
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  await store.ledger.sync()
  await store.ledger.commit(THREAD, [notice(1, LARGE)])
  expect((await readLog(url)).unflushed).toBeGreaterThan(MUCH)
  await store.ledger.sync()
  expect((await readLog(url)).unflushed).toBeLessThan(MUCH)
})

it('syncs that wait at the same time share one, and one with nothing to wait for writes nothing', async () => {
  const store = await postgres.open()
  const url = postgres.urlOf(store)
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [notice(1)])
  const before = Number((await readLog(url)).next)
  await Promise.all(Array.from({ length: 20 }, async () => store.ledger.sync()))
  await store.ledger.sync()
  expect(Number((await readLog(url)).next) - before).toBe(1)
})

it('a secret survives a power cut once it is written', async () => {
  const store = await postgres.open()
  await store.connections.vault.write('connection_1', { token: LARGE })
  expect((await readLog(postgres.urlOf(store))).unflushed).toBeLessThan(MUCH)
})

it('a database that becomes read-only refuses every write in plain words, and still answers', async () => {
  const admin = await postgres.createUrl()
  await postgres.run(admin, 'CREATE ROLE writer LOGIN SUPERUSER')
  const store = await postgres.open({ url: admin.replace('postgres@', 'writer@') })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [notice(1)])
  const reconnect = `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE usename = 'writer'`
  await postgres.run(admin, 'ALTER ROLE writer SET default_transaction_read_only = on')
  await postgres.run(admin, reconnect)
  const refused = { name: 'StoreError', kind: 'io', message: expect.stringContaining('read-only') as string }
  await expect(store.ledger.commit(THREAD, [notice(2)])).rejects.toMatchObject(refused)
  await expect(store.ledger.commit(THREAD, [runStart('More')])).rejects.toMatchObject(refused)
  await expect(store.audit.record({ at: 1, userId: USER, action: 'hold' })).rejects.toMatchObject(refused)
  expect(await store.ledger.lastSeq(THREAD)).toBe(1)
  await postgres.run(admin, 'ALTER ROLE writer RESET default_transaction_read_only')
  await postgres.run(admin, reconnect)
  await store.ledger.commit(THREAD, [notice(2)])
  expect(await store.ledger.lastSeq(THREAD)).toBe(2)
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 2 })
})

it('an artifact that was discarded, or left by a node that ended while it wrote, is deleted', async () => {
  const store = await postgres.open()
  const url = postgres.urlOf(store)
  const count = async () => (await postgres.run(url, 'SELECT FROM artifact_blocks')).length
  const name = { threadId: THREAD, callId: 'call_1', tool: 'shell' }
  const discarded = store.artifacts.create(name)
  await discarded.write('x'.repeat(200_000))
  expect(await count()).toBe(3)
  await discarded.discard()
  expect(await count()).toBe(0)

  await store.artifacts.create(name).write('x'.repeat(200_000))
  await postgres.open({ url })
  expect(await count()).toBe(3)
  await postgres.run(url, `UPDATE artifacts SET created_at = now() - interval '2 days'`)
  await postgres.open({ url })
  expect(await count()).toBe(0)
})

it('an artifact of 100 MB is written and read without being in memory as a whole', async () => {
  const url = await postgres.createUrl()
  const program = new URL('../fixtures/write-large-artifact.fixture.ts', import.meta.url)
  const [line] = await runToEnd(program, [url, KEY])
  const { bytes, end, rise } = JSON.parse(line!) as Record<'bytes' | 'rise', number> & {
    readonly end: string
  }
  expect(bytes).toBeGreaterThanOrEqual(100 * 1024 * 1024)
  expect(end).toBe('ew at a time\n')
  expect(rise).toBeLessThan(64 * 1024 * 1024)
}, 60_000)
