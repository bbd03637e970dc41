import { statSync, truncateSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { iteration, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()
const MEGABYTE = 2 ** 20
/** A busy machine takes its time. */
const PATIENT = { timeout: 20_000 }

it(
  'the checkpointer copies commits into the file while the store is open, and reuses the log',
  { timeout: 60_000 },
  async () => {
    const folder = await createFolder()
    const store = openEmbeddedStore({ folder })
    await store.threads.create({ id: THREAD, userId: USER, at: 0 })
    await store.ledger.commit(THREAD, [runStart('Write a lot.')])
    const log = join(folder, 'capstan.db-wal')
    // SQLite counts in the header how often the log was started over.
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
    expect((await stat(log)).size).toBeLessThan(64 * MEGABYTE)
    expect(await store.ledger.readEvents(THREAD, 0)).toHaveLength(seq)
    await store.close()
  },
)

it('the log stays below 64 MB when commits leave the event loop no turn', { timeout: 60_000 }, async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  const log = join(folder, 'capstan.db-wal')
  let largest = 0
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Never pause.')])
  for (let seq = 1; seq <= 12_000; seq++) {
    void store.ledger.commit(THREAD, iteration(seq, 'a short answer '.repeat(100)))
    if (seq % 50 === 0) largest = Math.max(largest, statSync(log).size)
  }
  expect(largest).toBeGreaterThan(32 * MEGABYTE)
  expect(largest).toBeLessThan(64 * MEGABYTE)
  expect(await store.ledger.lastSeq(THREAD)).toBe(12_000)
  await store.close()
})

it(
  'the log is below 64 MB after a kill, and empty once the store is open again',
  { timeout: 60_000 },
  async () => {
    const folder = await createFolder()
    const log = join(folder, 'capstan.db-wal')
    const child = await startChild(folder, 'commit')
    const lines = await child.killAfter(6_000)
    const { size } = statSync(log)
    expect(size).toBeLessThan(64 * MEGABYTE)
    // As an earlier version, which had no such limit, could leave it.
    truncateSync(log, Math.max(size, 100 * MEGABYTE))
    const store = openEmbeddedStore({ folder })
    expect(statSync(log).size).toBeLessThan(MEGABYTE)
    expect(await store.ledger.lastSeq(THREAD)).toBeGreaterThanOrEqual(Number(lines.at(-1)))
    await store.close()
  },
)

it('a commit is still there after a sync', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, at: 0 })
  await store.ledger.commit(THREAD, [runStart('Be sure.'), ...iteration(1, 'a')])
  await Promise.all([store.ledger.sync(), store.ledger.sync()])
  expect(await store.ledger.lastSeq(THREAD)).toBe(1)
  await store.close()
  expect(() => store.ledger.sync()).toThrow(expect.objectContaining({ kind: 'closed' }))
})
