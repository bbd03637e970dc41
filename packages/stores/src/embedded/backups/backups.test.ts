import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { checkFile } from '../database/check-file.ts'
import { createBackups } from './backups.ts'
import { openConnection } from '../database/connection.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { fill, notice, THREAD } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()
type Log = Record<'log' | 'checkpointed', number>
const HOUR = 60 * 60 * 1000

/** Opens the store at that time, and closes it again. */
async function useAt(folder: string, at: number, first: boolean): Promise<void> {
  const store = openEmbeddedStore({ folder, clock: { now: () => at } })
  if (first) await fill(store)
  else await store.ledger.commit(THREAD, [notice((await store.ledger.lastSeq(THREAD)) + 1)])
  await store.close()
}

it('the store takes a backup when it is closed, at most once a day, and keeps the newest three', async () => {
  const folder = await createFolder()
  const backups = async () => (await readdir(join(folder, 'backups'))).toSorted()
  const start = Date.UTC(2026, 0, 1)
  await useAt(folder, start, true)
  expect(await backups()).toEqual(['capstan-2026-01-01T00-00-00-000Z.db'])
  await useAt(folder, start + 23 * HOUR, false)
  expect(await backups()).toHaveLength(1)
  for (const days of [1, 2, 3, 4]) await useAt(folder, start + days * 24 * HOUR, false)
  expect(await backups()).toEqual([
    'capstan-2026-01-03T00-00-00-000Z.db',
    'capstan-2026-01-04T00-00-00-000Z.db',
    'capstan-2026-01-05T00-00-00-000Z.db',
  ])
})

it('a backup is whole by itself and readable by its owner alone', async () => {
  const folder = await createFolder()
  await useAt(folder, 0, true)
  const [name] = await readdir(join(folder, 'backups'))
  const path = join(folder, 'backups', name!)
  const connection = openConnection(path)
  expect(() => checkFile(connection)).not.toThrow()
  connection.close()
  expect((await stat(join(folder, 'backups'))).mode & 0o77).toBe(0)
})

it(
  'a backup that is taken during commits is whole, and lets the log start over',
  { timeout: 60_000 },
  async () => {
    const folder = await createFolder()
    const path = join(folder, 'capstan.db')
    const store = openEmbeddedStore({ folder, clock: { now: () => 0 } })
    await fill(store, 2000)
    await store.close()
    const connection = openConnection(path)
    const backups = createBackups(join(folder, 'backups'), path, Date.now)
    const backup = { isTaken: false }
    const taken = backups.take(connection).finally(() => {
      backup.isTaken = true
    })
    const insert = connection.prepare(`INSERT INTO media VALUES (1, ?, x'00', 0)`)
    let longest = 0
    for (let n = 0; !backup.isTaken; n++) {
      insert.run(`ref ${n}`)
      const { log, checkpointed } = connection.db.prepare('PRAGMA wal_checkpoint(PASSIVE)').get() as Log
      expect(checkpointed).toBe(log)
      longest = Math.max(longest, log)
      await setImmediate()
    }
    await taken
    expect(longest).toBeLessThan(100)
    connection.close()
    const copy = openConnection(join(folder, 'backups', backups.list()[0]!))
    expect(() => checkFile(copy)).not.toThrow()
    copy.close()
  },
)

it('an empty store takes no backup', async () => {
  const folder = await createFolder()
  await openEmbeddedStore({ folder }).close()
  expect(await readdir(folder)).not.toContain('backups')
})
