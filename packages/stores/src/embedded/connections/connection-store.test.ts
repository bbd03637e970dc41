import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ConnectionStore, Store } from '@capstan/harness/stores'
import { testConnectionStore } from '@capstan/harness/testing/suites'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

interface Opened {
  readonly folder: string
  readonly store: Store
}
const opened = new Map<ConnectionStore, Opened>()

function open(folder: string): ConnectionStore {
  const store = openEmbeddedStore({ folder, env: {} })
  opened.set(store.connections, { folder, store })
  return store.connections
}

async function close(connections: ConnectionStore): Promise<string> {
  const { folder, store } = opened.get(connections)!
  opened.delete(connections)
  await store.close()
  return folder
}

afterEach(async () => {
  for (const connections of opened.keys()) await close(connections)
})

/** Edits the file as a SQLite shell could. */
function edit(folder: string, sql: string, ...values: string[]): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.prepare(sql).run(...values)
  connection.close()
}

const folderOf = (connections: ConnectionStore): string => opened.get(connections)!.folder

async function readFolder(folder: string): Promise<Buffer> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return Buffer.concat(await Promise.all(files.map((file) => readFile(join(file.parentPath, file.name)))))
}

testConnectionStore('the embedded store', async () => open(await createFolder()), {
  reopen: async (connections) => open(await close(connections)),
  tamper: (connections, id) =>
    edit(
      folderOf(connections),
      `UPDATE secrets SET locked = unhex(substr(hex(locked), 1, 40) || CASE substr(hex(locked), 41, 1)
      WHEN '0' THEN '1' ELSE '0' END || substr(hex(locked), 42)) WHERE connection = ?`,
      id,
    ),
  swap: (connections, from, to) =>
    edit(
      folderOf(connections),
      `UPDATE secrets SET (bound_to, key, locked) =
      (SELECT bound_to, key, locked FROM secrets WHERE connection = ?) WHERE connection = ?`,
      from,
      to,
    ),
  dump: (connections) => readFolder(folderOf(connections)),
})

const CONNECTION = {
  id: 'connection_1',
  userId: 'ann',
  connector: 'mcp',
  toolkit: 'notes',
  status: 'pending',
  label: '',
  createdAt: 1,
  updatedAt: 1,
} as const
const FLOW = {
  stateHash: 'hash_1',
  connectionId: 'connection_1',
  userId: 'ann',
  browserHash: 'browser',
  redirectUri: 'http://127.0.0.1/callback',
  createdAt: 1_000,
  expiresAt: 2_000,
} as const

describe('connections in a file', () => {
  let folder: string
  let store: Store

  beforeEach(async () => {
    folder = await createFolder()
    store = openEmbeddedStore({ folder, env: {} })
  })
  afterEach(() => store.close())

  const count = (table: string): unknown => {
    const connection = openConnection(join(folder, 'capstan.db'), { isReadOnly: true })
    const row = connection.db.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { readonly n: number }
    connection.close()
    return row.n
  }

  it('changes all or nothing: the default passes on with the disconnect, or neither happens', async () => {
    await store.connections.create(CONNECTION)
    await store.connections.create({ ...CONNECTION, id: 'connection_2', createdAt: 2 })
    edit(
      folder,
      `CREATE TRIGGER no_heir BEFORE UPDATE ON connections WHEN NEW.id = 'connection_2'
      BEGIN SELECT raise(ABORT, 'no'); END`,
    )
    const before = await store.connections.list('ann')
    expect(() =>
      store.connections.change('connection_1', { status: 'disconnected', updatedAt: 3 }, ['pending']),
    ).toThrow(expect.objectContaining({ name: 'StoreError' }))
    expect(await store.connections.list('ann')).toEqual(before)
    edit(folder, 'DROP TRIGGER no_heir')
    await store.connections.change('connection_1', { status: 'disconnected', updatedAt: 3 }, ['pending'])
    expect(await store.connections.list('ann')).toMatchObject([{ id: 'connection_2', isDefault: true }])
  })

  it('keeps no sign-in whose time is over once another is begun', async () => {
    await store.connections.openFlow(FLOW)
    await store.connections.openFlow({ ...FLOW, stateHash: 'hash_2', connectionId: 'connection_2' })
    expect(count('sign_in_flows')).toBe(2)
    const later = { createdAt: 2_000, expiresAt: 3_000 }
    await store.connections.openFlow({
      ...FLOW,
      ...later,
      stateHash: 'hash_3',
      connectionId: 'connection_3',
    })
    expect(count('sign_in_flows')).toBe(1)
    expect(await store.connections.takeFlow('hash_3', 2_500)).toMatchObject(later)
    expect(count('sign_in_flows')).toBe(0)
  })

  it('is on the disk after a sync, as what the ledger holds', async () => {
    await store.ledger.sync()
    expect(store.ledger.sync()).toBeUndefined()
    await store.connections.create(CONNECTION)
    const synced = store.ledger.sync()
    expect(synced).toBeInstanceOf(Promise)
    await synced
    expect(store.ledger.sync()).toBeUndefined()
  })

  it('writes nothing for an action that is known already', async () => {
    await store.connections.rememberActions('connection_1', new Map([['list', 'digest']]))
    const log = await readFile(join(folder, 'capstan.db-wal'))
    await store.connections.rememberActions('connection_1', new Map([['list', 'digest']]))
    expect((await readFile(join(folder, 'capstan.db-wal'))).equals(log)).toBe(true)
  })

  it('allows nothing by scopes that somebody edited, until the user sets them again', async () => {
    await store.connections.setScopes('ann', 'notes', { read: true, write: false, admin: false })
    edit(folder, 'UPDATE scopes SET admin = 1')
    const nothing = { read: false, write: false, admin: false }
    expect(await store.connections.scopes('ann', 'notes')).toEqual(nothing)
    await store.connections.setScopes('ann', 'notes', { read: true, write: true, admin: true })
    edit(folder, `INSERT INTO scopes SELECT 'eve', toolkit, read, write, admin, seal FROM scopes`)
    expect(await store.connections.scopes('eve', 'notes')).toEqual(nothing)
    expect(await store.connections.scopes('ann', 'notes')).toMatchObject({ admin: true })
  })

  it('counts an action as admin after somebody edited its effect, until the user sets it again', async () => {
    const chosen = { effect: 'write', digest: 'one' } as const
    await store.connections.setActionEffect('ann', 'notes', 'look', chosen)
    edit(folder, `UPDATE action_effects SET effect = 'read'`)
    const edited = await store.connections.actionEffects('ann', 'notes')
    expect(edited.get('look')?.effect).toBe('admin')
    await store.connections.setActionEffect('ann', 'notes', 'look', chosen)
    expect((await store.connections.actionEffects('ann', 'notes')).get('look')).toEqual(chosen)
    edit(
      folder,
      `INSERT INTO action_effects SELECT 'eve', toolkit, action, effect, digest, seal FROM action_effects`,
    )
    expect((await store.connections.actionEffects('eve', 'notes')).get('look')?.effect).toBe('admin')
  })

  it.each([
    [`UPDATE connections SET status = 'active'`],
    [`UPDATE connections SET user = 'eve'`],
    [`UPDATE sign_in_flows SET user = 'eve'`],
    [`UPDATE known_actions SET digest = 'another'`],
  ])('is found damaged by the next start after %s, and the backup takes its place', async (sql) => {
    await store.connections.create(CONNECTION)
    await store.connections.openFlow(FLOW)
    await store.connections.rememberActions('connection_1', new Map([['list', 'digest']]))
    await store.close()
    edit(folder, sql)
    store = openEmbeddedStore({ folder, env: {} })
    expect(store.notices).toEqual([expect.stringContaining('was damaged')])
    expect(await store.connections.list('ann')).toMatchObject([{ id: 'connection_1', status: 'pending' }])
    expect(await store.connections.takeFlow('hash_1', 1_500)).toEqual(FLOW)
    expect(await store.connections.knownActions('connection_1')).toEqual(new Map([['list', 'digest']]))
  })

  it('refuses to write as a reader, and reads everything beside the owner', async () => {
    await store.connections.create(CONNECTION)
    await store.connections.openFlow(FLOW)
    await store.connections.vault.write('connection_1', { token: 'kept' })
    const reader = openEmbeddedStore({ folder, readOnly: true, env: {} })
    const { connections } = reader
    const refused = expect.objectContaining({ message: 'The store was opened for reading only.' })
    for (const action of [
      () => connections.create({ ...CONNECTION, id: 'connection_2' }),
      () => connections.change('connection_1', { updatedAt: 2 }, ['pending']),
      () => connections.makeDefault('connection_1'),
      () => connections.openFlow({ ...FLOW, stateHash: 'hash_2' }),
      () => connections.takeFlow('hash_1', 1_500),
      () => connections.setScopes('ann', 'notes', { read: true, write: true, admin: true }),
      () => connections.rememberActions('connection_1', new Map([['list', 'digest']])),
      () => connections.vault.write('connection_1', { token: 'changed' }),
      () => connections.vault.delete('connection_1'),
    ]) {
      expect(action).toThrow(refused)
    }
    expect(await connections.list('ann')).toMatchObject([{ id: 'connection_1' }])
    expect(await connections.vault.read('connection_1')).toEqual({ token: 'kept' })
    await reader.close()
    expect(await store.connections.takeFlow('hash_1', 1_500)).toEqual(FLOW)
  })

  it('answers nothing once it was closed', async () => {
    await store.close()
    const closed = expect.objectContaining({ kind: 'closed' })
    expect(() => store.connections.list('ann')).toThrow(closed)
    expect(() => store.connections.create(CONNECTION)).toThrow(closed)
    expect(() => store.connections.vault.read('connection_1')).toThrow(closed)
    expect(() => store.connections.vault.write('connection_1', {})).toThrow(closed)
    expect(await readdir(folder)).not.toContain('secret.key')
  })
})

it('another process cannot settle the same sign-in: the store has one owner', async () => {
  const folder = await createFolder()
  const child = await startChild(folder, 'idle')
  expect(() => openEmbeddedStore({ folder, env: {} })).toThrow(expect.objectContaining({ kind: 'locked' }))
  await child.killAfter(1)
})
