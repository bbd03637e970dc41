import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { openEmbeddedStore } from '../open-store.ts'
import { iteration, runStart, THREAD, USER } from '../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()
const MEGABYTE = 2 ** 20
/** A busy machine takes its time. */
const PATIENT = { timeout: 20_000 }

it(
  'moves what was committed into the file while the store is open, and reuses the log',
  { timeout: 60_000 },
  async () => {
    const folder = await createFolder()
    const store = openEmbeddedStore({ folder })
    await store.threads.create({ id: THREAD, userId: USER, at: 0 })
    await store.ledger.commit(THREAD, [runStart('Write a lot.')])
    const log = join(folder, 'capstan.db-wal')
    // SQLite counts in its head how often the log was begun anew.
    const readRound = async () => (await readFile(log)).readUInt32BE(12)
    let seq = 0
    const write = async (megabytes: number) => {
      for (let n = 0; n < megabytes; n++)
        await store.ledger.commit(THREAD, iteration(++seq, 'x'.repeat(MEGABYTE)))
    }
    const round = await readRound()
    for (const megabytes of [5, 10, 15]) {
      await write(5)
      await vi.waitFor(
        async () =>
          expect((await stat(join(folder, 'capstan.db'))).size).toBeGreaterThan((megabytes / 2) * MEGABYTE),
        PATIENT,
      )
    }
    expect(await readRound()).toBe(round)
    await write(20)
    await vi.waitFor(async () => {
      await write(1)
      expect(await readRound()).toBeGreaterThan(round)
    }, PATIENT)
    expect((await stat(log)).size).toBeLessThan(110 * MEGABYTE)
    expect(await store.ledger.readEvents(THREAD, 0)).toHaveLength(seq)
    await store.close()
  },
)

it('promises after a sync what it promised before', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Be sure.'), ...iteration(1, 'a')])
  await Promise.all([store.ledger.sync(), store.ledger.sync()])
  expect(await store.ledger.lastSeq(THREAD)).toBe(1)
  await store.close()
  expect(() => store.ledger.sync()).toThrow(expect.objectContaining({ kind: 'closed' }))
})
