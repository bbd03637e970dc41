import { chmod, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@capstan/harness/stores'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import type { EmbeddedStoreOptions } from '../open-store.ts'
import { fill } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

let folder: string
let keyFile: string
let store: Store

const open = (options: Partial<EmbeddedStoreOptions> = {}) =>
  openEmbeddedStore({ folder, env: {}, ...options })
const reopen = async (options?: Partial<EmbeddedStoreOptions>) => {
  await store.close()
  store = open(options)
}

beforeEach(async () => {
  folder = await createFolder()
  keyFile = join(folder, 'secret.key')
  store = open()
})
afterEach(() => store.close())

const row = (id: string, userId = 'ann', toolkit = 'notes') =>
  ({
    id,
    userId,
    connector: 'mcp',
    toolkit,
    status: 'active',
    label: '',
    createdAt: 1,
    updatedAt: 1,
  }) as const

const read = (id = 'connection_1') => store.connections.vault.read(id)
const problem = (kind: string, words: RegExp) =>
  expect.objectContaining({ name: 'StoreError', kind, message: expect.stringMatching(words) })

/** Edits the file as a SQLite shell could. */
function edit(sql: string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  connection.db.exec(sql)
  connection.close()
}

async function readFiles(): Promise<ReadonlyMap<string, Buffer>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = new Map<string, Buffer>()
  for (const entry of entries) {
    if (entry.isFile()) files.set(entry.name, await readFile(join(entry.parentPath, entry.name)))
  }
  return files
}

const namesOf = (files: ReadonlyMap<string, Buffer>, bytes: Buffer | string): string[] =>
  [...files].filter(([, content]) => content.includes(bytes)).map(([name]) => name)

/** A token in every shape in which it could be read. */
const shapesOf = (token: string): readonly (string | Buffer)[] => {
  const bytes = Buffer.from(token)
  const base64 = [0, 1, 2].map((shift) => bytes.subarray(shift).toString('base64').slice(0, 20))
  return [token, Buffer.from(token, 'utf16le'), bytes.toString('hex'), ...base64]
}

describe('a token', () => {
  const TOKENS = ['MARKED-token-number-one-0123456789', 'MARKED-token-number-two-9876543210']
  const SHAPES = TOKENS.flatMap(shapesOf)

  it('is in no file of the folder: not while it is open, after a kill, in a backup, nor when closed', async () => {
    await fill(store)
    await store.connections.create(row('connection_1'))
    for (const token of TOKENS) await store.connections.vault.write('connection_1', { token })
    await store.ledger.sync()
    const live = await readFiles()
    // What a killed owner leaves behind is what lies there now.
    expect([...live.keys()]).toEqual(expect.arrayContaining(['capstan.db-wal', 'capstan.db-shm']))
    for (const shape of SHAPES) expect(namesOf(live, shape)).toEqual([])
    expect(await read()).toEqual({ token: TOKENS[1] })
    await store.close()
    const closed = await readFiles()
    expect([...closed.keys()].some((name) => /^capstan-.*Z\.db$/.test(name))).toBe(true)
    for (const shape of SHAPES) expect(namesOf(closed, shape)).toEqual([])
  })

  it('is locked anew each time, so that nobody sees that it is the same', async () => {
    await store.connections.vault.write('connection_1', { token: 'same' })
    const first = readLocked('connection_1')
    await store.connections.vault.write('connection_1', { token: 'same' })
    const second = readLocked('connection_1')
    expect(second.byteLength).toBe(first.byteLength)
    expect(Buffer.from(second).equals(first)).toBe(false)
    expect(Buffer.from(second.subarray(1, 13)).equals(first.subarray(1, 13))).toBe(false)
  })

  it.each([10, 100_000])('of %i bytes leaves not even its locked form when it is gone', async (bytes) => {
    await store.connections.vault.write('connection_1', { token: 'a'.repeat(bytes) })
    const overwritten = readLocked('connection_1')
    await store.connections.vault.write('connection_1', { token: 'b'.repeat(bytes / 2) })
    const deleted = readLocked('connection_1')
    await store.connections.vault.write('connection_2', { token: 'stays' })
    const kept = readLocked('connection_2')
    await store.connections.vault.delete('connection_1')
    await store.close()
    const files = await readFiles()
    expect(namesOf(files, kept)).toEqual(['capstan.db'])
    for (const gone of [overwritten, deleted]) {
      expect(namesOf(files, gone.subarray(1, 25))).toEqual([])
      expect(namesOf(files, gone.subarray(-24))).toEqual([])
    }
  })

  function readLocked(id: string): Buffer {
    const connection = openConnection(join(folder, 'capstan.db'), { isReadOnly: true })
    const found = connection.db.prepare('SELECT locked FROM secrets WHERE connection = ?').get(id)
    connection.close()
    return Buffer.from((found as { readonly locked: Uint8Array }).locked)
  }
})

it('the vault has flushed a write or a delete when it settles', async () => {
  const written = store.connections.vault.write('connection_1', { token: 'a' })
  expect(written).toBeInstanceOf(Promise)
  await written
  // Nothing is left to be flushed.
  expect(store.ledger.sync()).toBeUndefined()
  const deleted = store.connections.vault.delete('connection_1')
  expect(deleted).toBeInstanceOf(Promise)
  await deleted
})

it('the error for a secret that cannot be stored shows nothing of it', () => {
  const secret = { token: 'MARKED', toJSON: () => JSON.parse('MARKED') as unknown }
  let thrown: unknown
  try {
    void store.connections.vault.write('connection_1', secret)
  } catch (error) {
    thrown = error
  }
  expect(thrown).toEqual(problem('invalid', /JSON/))
  expect(String(thrown)).not.toContain('MARKED')
  expect((thrown as Error).cause).toBeUndefined()
})

describe('a secret that somebody touched', () => {
  beforeEach(async () => {
    await store.connections.create(row('connection_1'))
    await store.connections.create(row('connection_2', 'eve', 'mail'))
    await store.connections.vault.write('connection_1', { token: 'one' })
    await store.connections.vault.write('connection_2', { token: 'two' })
  })

  it('is not opened, whichever byte was flipped', () => {
    const connection = openConnection(join(folder, 'capstan.db'))
    const select = connection.db.prepare(`SELECT locked FROM secrets WHERE connection = 'connection_1'`)
    const update = connection.db.prepare(`UPDATE secrets SET locked = ? WHERE connection = 'connection_1'`)
    const { locked } = select.get() as { readonly locked: Uint8Array }
    for (let n = 0; n < locked.byteLength; n++) {
      const flipped = Uint8Array.from(locked)
      flipped[n]! ^= 1 << (n % 8)
      update.run(flipped)
      expect(() => read(), `with byte ${n} flipped`).toThrow(problem('damaged', /sign in again/))
    }
    for (const cut of [0, 1, 28, locked.byteLength - 1]) {
      update.run(locked.subarray(0, cut))
      expect(() => read()).toThrow(problem('damaged', /sign in again/))
    }
    update.run(locked)
    connection.close()
    expect(read()).toEqual({ token: 'one' })
  })

  it('is not opened for another connection, whatever else is moved with it', () => {
    edit(`UPDATE secrets SET connection = CASE connection
      WHEN 'connection_1' THEN 'x' ELSE 'connection_1' END;
      UPDATE secrets SET connection = 'connection_2' WHERE connection = 'x'`)
    expect(() => read('connection_1')).toThrow(problem('damaged', /not what was written/))
    expect(() => read('connection_2')).toThrow(problem('damaged', /not what was written/))
  })

  it.each([
    // With correct checksums, as a program could compute them.
    [`DELETE FROM connections WHERE id = 'connection_1'`, { id: 'connection_1', userId: 'eve' }],
    [`DELETE FROM connections WHERE id = 'connection_1'`, { id: 'connection_1', toolkit: 'evil' }],
  ])('is not opened for another user or toolkit (%s, then %j)', async (sql, forged) => {
    edit(sql)
    await store.connections.create({ ...row('connection_1'), ...forged })
    expect(() => read()).toThrow(problem('damaged', /not what was written/))
    edit('UPDATE secrets SET bound_to = NULL')
    expect(() => read()).toThrow(problem('damaged', /not what was written/))
  })

  it('does not make the whole store count as damaged', async () => {
    edit(`UPDATE secrets SET locked = x'00'`)
    expect(() => read()).toThrow(problem('damaged', /sign in again/))
    await store.connections.vault.write('connection_1', { token: 'new' })
    expect(await read()).toEqual({ token: 'new' })
    await reopen()
    expect(store.notices).toEqual([])
    expect(JSON.parse(await readFile(join(folder, 'capstan.db-state'), 'utf8'))).toEqual({ state: 'open' })
  })
})

describe('the key', () => {
  it('is made with the first secret, for this user alone, and is in no other file', async () => {
    expect(await readdir(folder)).not.toContain('secret.key')
    await store.connections.create(row('connection_1'))
    await store.connections.vault.write('connection_1', { token: 'a' })
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    const hex = (await readFile(keyFile, 'utf8')).trim()
    expect(hex).toMatch(/^[\da-f]{64}$/)
    await reopen()
    await store.close()
    const files = await readFiles()
    expect([...files.keys()].filter((name) => name.startsWith('capstan-'))).toHaveLength(1)
    expect(namesOf(files, hex)).toEqual(['secret.key'])
    expect(namesOf(files, Buffer.from(hex, 'hex'))).toEqual([])
    store = open()
    expect(await read()).toEqual({ token: 'a' })
  })

  it('may lie elsewhere', async () => {
    const elsewhere = join(await createFolder(), 'keys', 'capstan.key')
    await reopen({ keyFile: elsewhere })
    await store.connections.vault.write('connection_1', { token: 'a' })
    expect(await readdir(folder)).not.toContain('secret.key')
    await reopen({ keyFile: elsewhere })
    expect(await read()).toEqual({ token: 'a' })
  })

  it('is taken from the environment first, and then no file is made or read', async () => {
    const env = { CAPSTAN_SECRET_KEY: 'aB'.repeat(32) }
    await reopen({ env })
    await store.connections.vault.write('connection_1', { token: 'a' })
    expect(await readdir(folder)).not.toContain('secret.key')
    await writeFile(keyFile, 'nonsense')
    await reopen({ env })
    expect(store.notices).toEqual([])
    expect(await read()).toEqual({ token: 'a' })
  })

  it('may move from its file to the environment', async () => {
    await store.connections.vault.write('connection_1', { token: 'a' })
    const env = { CAPSTAN_SECRET_KEY: await readFile(keyFile, 'utf8') }
    await rm(keyFile)
    await reopen({ env })
    expect(await read()).toEqual({ token: 'a' })
  })

  it.each(['short', 'zz'.repeat(32), 'ab'.repeat(33)])(
    'in the environment must be one, and is not shown when it is not (%s)',
    (value) => {
      let thrown: unknown
      try {
        open({ env: { CAPSTAN_SECRET_KEY: value }, readOnly: true })
      } catch (error) {
        thrown = error
      }
      expect(thrown).toEqual(problem('invalid', /^CAPSTAN_SECRET_KEY must be 64 hexadecimal digits\.$/))
    },
  )

  it('that is gone leaves connections to be listed, asks to sign in again, and a new one serves from then on', async () => {
    await store.connections.create(row('connection_1'))
    await store.connections.create(row('connection_2'))
    await store.connections.vault.write('connection_1', { token: 'old' })
    await store.connections.vault.write('connection_2', { token: 'old' })
    const aside = join(folder, 'aside')
    await store.close()
    await rename(keyFile, aside)
    store = open()
    expect(store.notices).toEqual([expect.stringMatching(/key of the secrets is gone.*sign in/)])
    expect(await store.connections.list('ann')).toHaveLength(2)
    expect(() => read()).toThrow(problem('damaged', /its key is gone.*sign in again\.$/))
    // Asking made no key, so bringing it back heals everything.
    await rename(aside, keyFile)
    expect(await read()).toEqual({ token: 'old' })

    await store.close()
    await rm(keyFile)
    store = open()
    await store.connections.vault.write('connection_1', { token: 'new' })
    expect(await read('connection_1')).toEqual({ token: 'new' })
    expect(() => read('connection_2')).toThrow(problem('damaged', /another key.*sign in again\.$/))
    await reopen()
    expect(store.notices).toEqual([expect.stringMatching(/key of some secrets is gone/)])
    await store.connections.vault.delete('connection_2')
    await reopen()
    expect(store.notices).toEqual([])
  })

  it.skipIf(process.platform === 'win32').each([0o640, 0o604, 0o620])(
    'is not used while others may open it (mode %o)',
    async (mode) => {
      await store.connections.create(row('connection_1'))
      await store.connections.vault.write('connection_1', { token: 'a' })
      await chmod(keyFile, mode)
      await reopen()
      const refused = problem('io', /secret\.key can be read by other users.*chmod 600/)
      expect(store.notices).toEqual([expect.stringContaining('chmod 600')])
      expect(() => read()).toThrow(refused)
      expect(() => store.connections.vault.write('connection_1', { token: 'b' })).toThrow(refused)
      expect(await store.connections.list('ann')).toHaveLength(1)
      await chmod(keyFile, 0o600)
      expect(await read()).toEqual({ token: 'a' })
    },
  )

  it('that is none is neither used nor replaced', async () => {
    await store.connections.vault.write('connection_1', { token: 'a' })
    await writeFile(keyFile, 'not a key')
    await reopen()
    const refused = problem('io', /does not hold a key/)
    expect(() => read()).toThrow(refused)
    expect(() => store.connections.vault.write('connection_1', { token: 'b' })).toThrow(refused)
    expect(await readFile(keyFile, 'utf8')).toBe('not a key')
  })

  it('that was never finished is made again', async () => {
    await writeFile(keyFile, '', { mode: 0o644 })
    await store.connections.vault.write('connection_1', { token: 'a' })
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    await reopen()
    expect(await read()).toEqual({ token: 'a' })
  })
})
