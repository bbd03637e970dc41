import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApprovalRequest } from '@capstan/harness/stores'
import type { CallId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { createCommitRecords } from '../ledger/commit-records.ts'
import { openConnection } from '../database/connection.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openEmbeddedStore } from '../open-store.ts'
import {
  fill,
  iteration,
  RUN,
  runEnd,
  runStart,
  readAll,
  THREAD,
  USER,
} from '../../fixtures/sample-records.fixture.ts'
import { openSeal } from '../approvals/seal-file.ts'
import { openSecretKey } from '../../shared/vault/secret-key.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { createStoreParts } from '../store-parts.ts'

const createFolder = useStoreFolders()

/** Makes the tables as they were before there were grants. */
const WITHOUT_GRANTS = `DROP TABLE grants; ALTER TABLE approvals DROP COLUMN terms;
  CREATE TABLE always_allowed (user TEXT NOT NULL, tool TEXT NOT NULL, seal BLOB NOT NULL,
  PRIMARY KEY (user, tool)) STRICT, WITHOUT ROWID;`

/** A file as the first version left it: nothing in it can be searched. */
async function createFirstVersion(): Promise<string> {
  const folder = await createFolder()
  const connection = openConnection(join(folder, 'capstan.db'))
  migrate(connection, MIGRATIONS.slice(0, 1))
  connection.db.exec('ALTER TABLE threads ADD COLUMN queue_mode TEXT') // today's statements name it
  const { journal, rows } = createStoreParts(folder, connection, {
    seal: openSeal(folder).seal,
    secretKey: openSecretKey({ file: join(folder, 'secret.key'), env: {} }),
  })
  rows.threads.create({ id: THREAD, userId: USER, title: 'Boats', createdAt: 0, updatedAt: 0 })
  const commit = createCommitRecords(connection, journal, rows)
  commit(THREAD, [runStart('Where is the harbour?', { messageId: 'message_1' })])
  commit(THREAD, iteration(1, 'a chart'))
  commit(THREAD, [runEnd('Behind the lighthouse.')])
  connection.db.exec('ALTER TABLE threads DROP COLUMN queue_mode')
  connection.close()
  return folder
}

it('a file of a newer version is refused and left as it is', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await fill(store)
  await store.close()
  const path = join(folder, 'capstan.db')
  const connection = openConnection(path)
  connection.db.exec(`PRAGMA user_version = 99; UPDATE progress SET page = 99 WHERE name = 'version'`)
  connection.close()
  const written = await readFile(path)

  for (const readOnly of [false, true]) {
    expect(() => openEmbeddedStore({ folder, readOnly })).toThrow(
      expect.objectContaining({
        kind: 'newer',
        message: expect.stringMatching(/newer version of Capstan.*99/),
      }),
    )
  }
  expect(await readFile(path)).toEqual(written)
})

it('a file of an older version is migrated, and a notice names the copy of it', async () => {
  const folder = await createFirstVersion()
  const store = openEmbeddedStore({ folder })
  const [backup] = await readdir(join(folder, 'backups'))
  expect(store.notices).toEqual([expect.stringContaining(backup!)])
  expect(await readAll(store)).toMatchObject({
    events: [{ seq: 1 }],
    runs: [{ id: RUN, status: 'done' }],
    usage: [{ calls: 1 }],
    // Messages from before there was a search are found as well.
    found: [{ thread: { id: THREAD }, excerpt: 'Behind the lighthouse.' }],
  })
  expect(await store.threads.search({ userId: USER, words: 'boats' })).toHaveLength(1)
  await store.close()

  const copy = openConnection(join(folder, 'backups', backup!), { isReadOnly: true })
  expect(copy.db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  copy.close()
})

it('a file of the second version gets connections, and the rest stays as it was', async () => {
  const folder = await createFirstVersion()
  const connection = openConnection(join(folder, 'capstan.db'))
  migrate(connection, MIGRATIONS.slice(0, 2))
  connection.close()
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([expect.stringContaining('was brought to this version')])
  expect(await readAll(store)).toMatchObject({ runs: [{ id: RUN }], found: [{ thread: { id: THREAD } }] })
  expect(await store.connections.list(USER)).toEqual([])
  await store.connections.vault.write('connection_1', { token: 'a' })
  expect(await store.connections.vault.read('connection_1')).toEqual({ token: 'a' })
  await store.close()
})

it('a file of the third version keeps its connections, which have no reason codes', async () => {
  const folder = await createFolder()
  const before = openEmbeddedStore({ folder })
  const times = { createdAt: 1, updatedAt: 1 }
  const row = { id: 'connection_1', userId: USER, connector: 'mcp', toolkit: 'notes', label: '', ...times }
  await before.connections.create({ ...row, status: 'failed', reason: 'No answer.' })
  await before.close()
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(`ALTER TABLE connections DROP COLUMN reason_code;
    DROP INDEX threads_of_user; DROP INDEX runs_of_user; ${WITHOUT_GRANTS}
    PRAGMA user_version = 3; UPDATE progress SET page = 3 WHERE name = 'version'`)
  connection.close()
  const store = openEmbeddedStore({ folder })
  expect(await store.connections.get('connection_1')).toMatchObject({ reason: 'No answer.' })
  await store.connections.change('connection_1', { updatedAt: 2, reasonCode: 'declined' }, ['failed'])
  expect(await store.connections.get('connection_1')).toMatchObject({ reasonCode: 'declined' })
  await store.close()
})

it('a file of the fifth version keeps its open approvals, and no tool is allowed any more', async () => {
  const folder = await createFolder()
  const before = openEmbeddedStore({ folder })
  await before.threads.create({ id: THREAD, userId: USER, at: 0 })
  const request: ApprovalRequest = {
    id: 'approval_1',
    threadId: THREAD,
    runId: RUN,
    callId: 'call_1' as CallId,
    tool: 'send_mail',
    label: 'Send a mail',
    arguments: { to: 'ann@example.com' },
    digest: 'digest',
    signature: 'signature',
    createdAt: 10,
    expiresAt: 1000,
  }
  await before.ledger.commit(THREAD, [runStart('Write to Ann.'), { type: 'approval-open', at: 10, request }])
  await before.close()
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(`${WITHOUT_GRANTS}
    PRAGMA user_version = 5; UPDATE progress SET page = 5 WHERE name = 'version'`)
  const seal = openSeal(folder).seal.of(['always', USER, 'send_mail'])
  connection.prepare('INSERT INTO always_allowed VALUES (?, ?, ?)').run(USER, 'send_mail', seal)
  connection.close()

  const store = openEmbeddedStore({ folder })
  expect(await store.approvals.findGrants(USER, 'send_mail')).toEqual([])
  expect(await store.approvals.listGrants(USER, 20)).toEqual([])
  expect(await store.approvals.get('approval_1')).toEqual({ ...request, isIntact: true })
  // The old question does not say what a grant would be bound to, so the longest yes is a yes to this call.
  expect(await store.approvals.answer('approval_1', 'allow-always', 20)).toBe('accepted')
  expect(await store.approvals.get('approval_1')).toMatchObject({ decision: 'allow-once', isIntact: true })
  expect(await store.approvals.listGrants(USER, 20)).toEqual([])
  await store.close()
})

it('an older file is migrated once', async () => {
  const folder = await createFirstVersion()
  await openEmbeddedStore({ folder }).close()
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([])
  await store.close()
})

it('an older file stays as it was when a migration fails', async () => {
  const folder = await createFirstVersion()
  const connection = openConnection(join(folder, 'capstan.db'))
  const broken = [
    ...MIGRATIONS,
    () => connection.db.exec('CREATE TABLE half (a)'),
    () => {
      throw new Error('no')
    },
  ]
  expect(() => migrate(connection, broken)).toThrow('no')
  expect(connection.db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  expect(
    connection.db.prepare(`SELECT name FROM sqlite_schema WHERE name IN ('half', 'search')`).all(),
  ).toEqual([])
  connection.close()
})

it('a reader refuses an older file until it was migrated', async () => {
  const folder = await createFirstVersion()
  expect(() => openEmbeddedStore({ folder, readOnly: true })).toThrow(/older version/)
})
