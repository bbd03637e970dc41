import { execFileSync } from 'node:child_process'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { StoreError } from '@capstan/harness'
import type { Store } from '@capstan/harness/stores'
import { afterEach, expect, it } from 'vitest'
import { createBackups } from '../backups/backups.ts'
import { openDatabase } from '../database/open-database.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { iteration, runStart, readAll, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { openSeal } from '../approvals/seal-file.ts'
import { openSecretKey } from '../../shared/vault/secret-key.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { createStoreParts } from '../store-parts.ts'

const createFolder = useStoreFolders()

/** Commits until there is no space. Answers with the last commit that worked. */
function fillUp(
  store: Pick<Store, 'ledger'>,
  from: number,
): { readonly last: number; readonly error: unknown } {
  for (let seq = from; ; seq++) {
    try {
      void store.ledger.commit(THREAD, iteration(seq, 'x'.repeat(20_000)))
    } catch (error) {
      return { last: seq - 1, error }
    }
  }
}

async function begin(store: Pick<Store, 'ledger' | 'threads'>): Promise<void> {
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Fill the disk.')])
}

const FULL = { name: 'StoreError', kind: 'full', message: expect.stringContaining('disk is full') }

it('a full database file loses nothing, can be read, and is written again when there is space', async () => {
  const folder = await createFolder()
  const path = join(folder, 'capstan.db')
  const backups = createBackups(join(folder, 'backups'), path, Date.now)
  const { connection } = openDatabase({ path, backups, now: Date.now, isUsed: false })
  const { seal } = openSeal(folder)
  const secretKey = openSecretKey({ file: join(folder, 'secret.key'), env: {} })
  const store = createStoreParts(folder, connection, { seal, secretKey }).createPorts()
  await begin(store)
  connection.db.exec('PRAGMA max_page_count = 200')
  const { last, error } = fillUp(store, 1)
  expect(error).toMatchObject({ ...FULL, cause: { errcode: 13 } })

  expect(await store.ledger.lastSeq(THREAD)).toBe(last)
  expect(await store.ledger.readEvents(THREAD, 0)).toHaveLength(last)
  // A commit with rows fails as a whole, too.
  const rows = [runStart('Again.', { runId: 'run_2' as never }), ...iteration(last + 1, 'x'.repeat(20_000))]
  expect(() => store.ledger.commit(THREAD, rows)).toThrow(StoreError)
  expect(await store.runs.get('run_2' as never)).toBeUndefined()

  connection.db.exec('PRAGMA max_page_count = 100000')
  await store.ledger.commit(THREAD, rows)
  expect(await store.ledger.lastSeq(THREAD)).toBe(last + 1)
  expect(await store.runs.get('run_2' as never)).toMatchObject({ status: 'running' })
  connection.close()
})

const mounted: string[] = []
const runShell = (command: string, ...args: string[]) =>
  execFileSync('sh', ['-c', command, 'sh', ...args], { stdio: 'ignore' })

afterEach(() => {
  for (const folder of mounted.splice(0)) runShell('umount --lazy "$1"', folder)
})

/** A disk of its own, where the machine lets us have one. */
function mountSmallDisk(folder: string, size: string): boolean {
  try {
    runShell('mount -t tmpfs -o "size=$2" tmpfs "$1"', folder, size)
  } catch {
    return false
  }
  mounted.push(folder)
  return true
}

it('the store survives a full disk', async ({ skip }) => {
  const folder = await createFolder()
  if (!mountSmallDisk(folder, '6m')) skip()
  const ballast = join(folder, 'ballast')
  await writeFile(ballast, Buffer.alloc(2 * 2 ** 20))
  const store = openEmbeddedStore({ folder })
  await begin(store)
  const { last, error } = fillUp(store, 1)
  expect(error).toMatchObject(FULL)
  await expect((async () => store.threads.rename(THREAD, 'x'.repeat(100_000)))()).rejects.toMatchObject(FULL)
  expect(await store.ledger.readEvents(THREAD, 0)).toHaveLength(last)
  expect(await store.threads.get(THREAD)).toMatchObject({ title: 'Fill the disk.' })

  await rm(ballast)
  const again = fillUp(store, last + 1)
  expect(again.last).toBeGreaterThan(last)
  expect(again.error).toMatchObject(FULL)
  const before = await readAll(store)
  await store.close()

  const reopened = openEmbeddedStore({ folder })
  expect(reopened.notices).toEqual([])
  expect(await readAll(reopened)).toEqual(before)
  await reopened.close()
})
