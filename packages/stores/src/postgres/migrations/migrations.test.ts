import { writeFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../database/database.ts'
import { KEY, usePostgres } from '../fixtures/postgres-server.fixture.ts'
import { openPostgresStore } from '../open-store.ts'
import { migrate } from './migrations.ts'
import type { Migration } from './migrations.ts'

const postgres = usePostgres()

const FIRST: Migration = { sql: 'CREATE TABLE first (a int); INSERT INTO first VALUES (1);', oldestCode: 1 }
const SECOND: Migration = { sql: 'ALTER TABLE first ADD b int;', oldestCode: 1 }
const THIRD: Migration = { sql: 'ALTER TABLE first DROP a;', oldestCode: 2 }

async function openEmpty() {
  const url = await postgres.createUrl()
  const database = openDatabase({ url, poolSize: 4, reconnectMs: 1_000 })
  onTestFinished(() => database.close())
  return { url, database }
}

it('tables are made once when many nodes start at the same time', async () => {
  const url = await postgres.createUrl()
  const stores = await Promise.all([1, 2, 3, 4].map(() => postgres.open({ url })))
  await stores[0]!.audit.record({ at: 1, userId: 'ann', action: 'hold' })
  expect(await stores[3]!.audit.read()).toHaveLength(1)
})

it('a migration continues where the last one ended, and runs each step once', async () => {
  const { database } = await openEmpty()
  await migrate(database, [FIRST])
  await Promise.all([migrate(database, [FIRST, SECOND]), migrate(database, [FIRST, SECOND])])
  expect(await database.read('SELECT a, b FROM first')).toEqual([{ a: 1, b: null }])
})

it('a step that fails leaves nothing of it', async () => {
  const { database } = await openEmpty()
  const broken = { sql: 'CREATE TABLE second (a int); SELECT 1 / 0;', oldestCode: 1 }
  await expect(migrate(database, [FIRST, broken])).rejects.toMatchObject({ name: 'StoreError' })
  expect(await database.read('SELECT version FROM schema_version')).toEqual([{ version: 1 }])
  expect(await database.read(`SELECT to_regclass('second') AS found`)).toEqual([{ found: null }])
})

it('a node of the version before works beside tables that were upgraded, and an older one is refused', async () => {
  const { database } = await openEmpty()
  await migrate(database, [FIRST, SECOND, THIRD])
  await migrate(database, [FIRST, SECOND])
  await expect(migrate(database, [FIRST])).rejects.toMatchObject({ kind: 'newer' })
})

it('a store goes on while another node adds columns to its tables', async () => {
  const store = await postgres.open({ url: await postgres.createUrl() })
  const thread = { id: 'thread_1' as never, userId: 'ann', at: 1 }
  const useAll = async () => {
    await store.threads.create(thread)
    await store.ledger.commit(thread.id, [
      { type: 'message-queue', at: 1, id: 'q', mode: 'steer', text: 'x' },
    ])
    await store.audit.record({ at: 1, userId: 'ann', action: 'hold' })
    await store.approvals.answer('approval_1', 'deny', 1)
    await store.ownership!.claim(thread.id)
    return store.threads.get(thread.id)
  }
  const before = await useAll()
  for (const table of ['threads', 'approvals', 'runs', 'journal', 'chains'])
    await postgres.run(postgres.urlOf(store), `ALTER TABLE ${table} ADD COLUMN later text`)
  expect(await useAll()).toEqual(before)
  expect(await store.audit.verify()).toMatchObject({ ok: true, rows: 4 })
})

it('a store refuses tables of a newer version', async () => {
  const store = await postgres.open()
  const url = postgres.urlOf(store)
  await postgres.run(url, 'UPDATE schema_version SET version = 99, oldest_code = 98')
  await expect(postgres.open({ url })).rejects.toMatchObject({ name: 'StoreError', kind: 'newer' })
  await postgres.run(url, 'UPDATE schema_version SET version = 1, oldest_code = 1')
})

it('a store needs a key, and the same one as the other nodes', async () => {
  const url = await postgres.createUrl()
  const open = (options: object) => openPostgresStore({ url, env: {}, ...options })
  await expect(open({})).rejects.toMatchObject({ kind: 'invalid' })
  await expect(open({ env: { CAPSTAN_SECRET_KEY: 'short' } })).rejects.toMatchObject({ kind: 'invalid' })
  await expect(open({ keyFile: '/nowhere/secret.key' })).rejects.toMatchObject({ kind: 'invalid' })
  await postgres.open({ url })
  const refused = open({ env: { CAPSTAN_SECRET_KEY: 'b2'.repeat(32) } })
  await expect(refused).rejects.toMatchObject({
    kind: 'invalid',
    message: expect.stringContaining('another key') as string,
  })

  const folder = await mkdtemp(join(tmpdir(), 'capstan-key-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await writeFile(join(folder, 'secret.key'), KEY, { mode: 0o600 })
  await (await open({ keyFile: join(folder, 'secret.key') })).close()
})

it('a store without pg_trgm says so, and finds words without spaces nevertheless', async () => {
  const base = await postgres.createUrl()
  await postgres.run(base, 'CREATE DATABASE bare')
  await postgres.run(base, 'CREATE ROLE plain LOGIN')
  const address = new URL(base)
  address.search = ''
  address.pathname = '/bare'
  await postgres.run(address.href, 'CREATE SCHEMA plain AUTHORIZATION plain')
  address.username = 'plain'
  const store = await postgres.open({ url: address.href })
  expect(store.notices).toEqual([expect.stringContaining('pg_trgm')])
  await store.threads.create({ id: 'thread_1' as never, userId: 'ann', title: '今日の天気', at: 1 })
  expect(await store.threads.search({ userId: 'ann', words: '天気' })).toHaveLength(1)
})

it.each([
  ['not an address', 'invalid'],
  ['postgres://postgres@127.0.0.1:1/postgres', 'io'],
])('a store does not open at %s', async (url, kind) => {
  await expect(postgres.open({ url, reconnectMs: 50 })).rejects.toMatchObject({ name: 'StoreError', kind })
})
