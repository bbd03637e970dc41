import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createCommitRecords } from './commit-records.ts'
import { openConnection } from './connection.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { openEmbeddedStore } from './open-store.ts'
import { fill, iteration, RUN, runEnd, runStart, tell, THREAD, USER } from './sample-records.fixture.ts'
import { openSeal } from './seal.ts'
import { openSecretKey } from './secret-key.ts'
import { useStoreFolders } from './store-folder.fixture.ts'
import { createStoreParts } from './store-parts.ts'

const createFolder = useStoreFolders()

/** A file as the first version left it: nothing in it can be searched. */
async function createFirstVersion(): Promise<string> {
  const folder = await createFolder()
  const connection = openConnection(join(folder, 'capstan.db'))
  migrate(connection, MIGRATIONS.slice(0, 1))
  const { journal, rows } = createStoreParts(folder, connection, {
    seal: openSeal(folder).seal,
    secretKey: openSecretKey({ file: join(folder, 'secret.key'), env: {} }),
  })
  rows.threads.create({ id: THREAD, userId: USER, title: 'Boats', createdAt: 0, updatedAt: 0 })
  const commit = createCommitRecords(connection, journal, rows)
  commit(THREAD, [runStart('Where is the harbour?', { messageId: 'message_1' })])
  commit(THREAD, iteration(1, 'a chart'))
  commit(THREAD, [runEnd('Behind the lighthouse.')])
  connection.close()
  return folder
}

it('refuses a file of a newer version, and leaves it as it is', async () => {
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

it('brings an older file to this version, keeps a copy and says so', async () => {
  const folder = await createFirstVersion()
  const store = openEmbeddedStore({ folder })
  const [backup] = await readdir(join(folder, 'backups'))
  expect(store.notices).toEqual([expect.stringContaining(backup!)])
  expect(await tell(store)).toMatchObject({
    events: [{ seq: 1 }],
    runs: [{ id: RUN, status: 'done' }],
    usage: [{ calls: 1 }],
    // What was said before there was a search is found as well.
    found: [{ thread: { id: THREAD }, excerpt: 'Behind the lighthouse.' }],
  })
  expect(await store.threads.search({ userId: USER, words: 'boats' })).toHaveLength(1)
  await store.close()

  const copy = openConnection(join(folder, 'backups', backup!), { isReadOnly: true })
  expect(copy.db.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 })
  copy.close()
})

it('adds connections to a file of the second version, and leaves the rest as it was', async () => {
  const folder = await createFirstVersion()
  const connection = openConnection(join(folder, 'capstan.db'))
  migrate(connection, MIGRATIONS.slice(0, 2))
  connection.close()
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([expect.stringContaining('was brought to this version')])
  expect(await tell(store)).toMatchObject({ runs: [{ id: RUN }], found: [{ thread: { id: THREAD } }] })
  expect(await store.connections.list(USER)).toEqual([])
  await store.connections.vault.write('connection_1', { token: 'a' })
  expect(await store.connections.vault.read('connection_1')).toEqual({ token: 'a' })
  await store.close()
})

it('keeps the connections of a file of the third version, which has no reason codes', async () => {
  const folder = await createFolder()
  const before = openEmbeddedStore({ folder })
  const times = { createdAt: 1, updatedAt: 1 }
  const row = { id: 'connection_1', userId: USER, connector: 'mcp', toolkit: 'notes', label: '', ...times }
  await before.connections.create({ ...row, status: 'failed', reason: 'No answer.' })
  await before.close()
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(`ALTER TABLE connections DROP COLUMN reason_code;
    PRAGMA user_version = 3; UPDATE progress SET page = 3 WHERE name = 'version'`)
  connection.close()
  const store = openEmbeddedStore({ folder })
  expect(await store.connections.get('connection_1')).toMatchObject({ reason: 'No answer.' })
  await store.connections.change('connection_1', { updatedAt: 2, reasonCode: 'declined' }, ['failed'])
  expect(await store.connections.get('connection_1')).toMatchObject({ reasonCode: 'declined' })
  await store.close()
})

it('is migrated once', async () => {
  const folder = await createFirstVersion()
  await openEmbeddedStore({ folder }).close()
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([])
  await store.close()
})

it('leaves an older file as it was when a step fails', async () => {
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

it('tells a reader that an older file must be brought up first', async () => {
  const folder = await createFirstVersion()
  expect(() => openEmbeddedStore({ folder, readOnly: true })).toThrow(/older version/)
})
