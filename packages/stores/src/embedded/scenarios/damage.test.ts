import { open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Store } from '@capstan/harness/stores'
import { beforeEach, describe, expect, it } from 'vitest'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { fill, readAll, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

let folder: string
let path: string
/** What the store answered before its file was changed. */
let before: unknown

beforeEach(async () => {
  folder = await createFolder()
  path = join(folder, 'capstan.db')
  const store = openEmbeddedStore({ folder })
  await fill(store)
  before = await readAll(store)
  await store.close()
})

async function flip(offset: number, bits = 0xff): Promise<void> {
  const file = await open(path, 'r+')
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, offset)
  await file.write(Buffer.of(buffer[0]! ^ bits), 0, 1, offset)
  await file.close()
}

const removeBackups = () => rm(join(folder, 'backups'), { recursive: true })

async function overwriteMiddle(): Promise<void> {
  const { size } = await stat(path)
  const file = await open(path, 'r+')
  await file.write(Buffer.alloc(8192, 0x5a), 0, 8192, Math.floor(size / 2 / 8192) * 8192)
  await file.close()
}

const KINDS_OF_DAMAGE: Readonly<Record<string, () => Promise<void>>> = {
  'its first bytes flipped': () => flip(0),
  'the size of its pages flipped': () => flip(16),
  'the number of its schema flipped': () => flip(47),
  'the number of its version flipped': () => flip(63, 0b100),
  'a page overwritten': overwriteMiddle,
  'half of it cut off': async () => truncate(path, Math.floor((await stat(path)).size / 2)),
  'a few bytes cut off': async () => truncate(path, (await stat(path)).size - 100),
  'nothing in it': () => truncate(path, 0),
  'zeros in it': async () => writeFile(path, Buffer.alloc((await stat(path)).size)),
  'garbage in it': () => writeFile(path, 'This was a database once. '.repeat(2000)),
}

describe.each(Object.entries(KINDS_OF_DAMAGE))('a file with %s', (_, damage) => {
  it('is kept aside, and the newest backup takes its place', async () => {
    await damage()
    const broken = await readFile(path)
    const store = openEmbeddedStore({ folder })
    const kept = (await readdir(folder)).find((name) => /^capstan\.damaged-.+\.db$/.test(name))!
    expect(store.notices).toEqual([expect.stringMatching(/^capstan\.db was damaged.*backup/)])
    expect(store.notices[0]).toContain(kept)
    expect(await readFile(join(folder, kept))).toEqual(broken)
    expect(await readAll(store)).toEqual(before)
    await store.close()
  })

  it('is kept aside, and an empty one is begun when there is no backup', async () => {
    await removeBackups()
    await damage()
    const store = openEmbeddedStore({ folder })
    expect(store.notices).toEqual([expect.stringMatching(/was damaged and there was no backup/)])
    expect(await store.threads.list({ userId: USER })).toEqual([])
    await fill(store)
    expect(await readAll(store)).toEqual(before)
    await store.close()
  })
})

it('a damaged backup is passed over', async () => {
  await writeFile(join(folder, 'backups', 'capstan-9999-01-01T00-00-00-000Z.db'), 'not one either')
  await overwriteMiddle()
  const store = openEmbeddedStore({ folder })
  expect(await readAll(store)).toEqual(before)
  await store.close()
})

it('the store opens when the write-ahead log is gone', async () => {
  await rm(`${path}-wal`, { force: true })
  await rm(`${path}-shm`, { force: true })
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([])
  expect(await readAll(store)).toEqual(before)
  await store.close()
})

it('a missing database file is reported and replaced by an empty one', async () => {
  await rm(path)
  const store = openEmbeddedStore({ folder })
  expect(store.notices).toEqual([expect.stringContaining('was not there')])
  expect(await store.threads.list({ userId: USER })).toEqual([])
  await store.close()
})

it('a flipped byte is never read as other data', async () => {
  const sound = await readFile(path)
  const head = Array.from({ length: 100 }, (_, offset) => offset)
  const elsewhere = Array.from({ length: 100 }, (_, n) => (n * 7919 * 13 + 100) % sound.length)
  for (const offset of [...head, ...elsewhere]) {
    await writeFile(path, sound)
    await flip(offset, 1 << (offset % 8))
    const store = openEmbeddedStore({ folder })
    expect(await readAll(store), `with byte ${offset} flipped`).toEqual(before)
    await store.close()
    for (const name of await readdir(folder)) if (name.includes('.damaged-')) await rm(join(folder, name))
  }
}, 120_000)

describe('damage that shows up later', () => {
  /** Behind the store's back, while it is open and believes its file. */
  async function damageOpenStore(): Promise<Store> {
    const store = openEmbeddedStore({ folder })
    const { size } = await stat(path)
    const file = await open(path, 'r+')
    for (let offset = 8192; offset < size; offset += 8192)
      await file.write(Buffer.alloc(8192, 0x33), 0, 8192, offset)
    await file.close()
    return store
  }

  it('is reported as damage by reading and by writing', async () => {
    const store = await damageOpenStore()
    const damaged = expect.objectContaining({ name: 'StoreError', kind: 'damaged' })
    expect(() => store.ledger.read(THREAD)).toThrow(damaged)
    expect(() => store.ledger.commit(THREAD, [])).toThrow(damaged)
    await Promise.resolve(store.close()).catch(() => {})
  })

  it('is found by the next start', async () => {
    const store = await damageOpenStore()
    expect(() => store.ledger.read(THREAD)).toThrow()
    await Promise.resolve(store.close()).catch(() => {})
    const next = openEmbeddedStore({ folder })
    expect(next.notices).toEqual([expect.stringContaining('was damaged')])
    expect(await readAll(next)).toEqual(before)
    await next.close()
  })
})

it('a page that was edited after a kill is found when the store opens', async () => {
  const left = await createFolder()
  const child = await startChild(left, 'commit')
  await child.killAfter(20)
  const connection = openConnection(join(left, 'capstan.db'))
  connection.db.exec(`UPDATE journal SET body = replace(body, 'xxx', 'yyy') WHERE id = 10`)
  connection.close()
  const store = openEmbeddedStore({ folder: left })
  expect(store.notices).toEqual([expect.stringContaining('was damaged')])
  expect(await store.ledger.read(THREAD)).toEqual([])
  await store.close()
})
