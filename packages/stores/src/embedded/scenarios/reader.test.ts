import { readdir } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { fill, notice, RUN, runStart, readAll, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

it('a reader beside the owner sees the last commit', async () => {
  const folder = await createFolder()
  const owner = openEmbeddedStore({ folder })
  const reader = openEmbeddedStore({ folder, readOnly: true })
  expect(await reader.threads.list({ userId: USER })).toEqual([])
  await fill(owner)
  const { found: _words, ...seen } = (await readAll(reader)) as Record<string, unknown>
  expect(await readAll(owner)).toMatchObject(seen)
  await owner.ledger.commit(THREAD, [notice(21)])
  expect(await reader.ledger.lastSeq(THREAD)).toBe(21)
  await reader.close()
  await owner.close()
})

it('a reader without an owner reads the same', async () => {
  const folder = await createFolder()
  const owner = openEmbeddedStore({ folder })
  await fill(owner, 100)
  const before = await readAll(owner)
  await owner.close()
  const reader = openEmbeddedStore({ folder, readOnly: true })
  expect(await readAll(reader)).toEqual(before)
  await reader.close()
})

it('a reader never sees half a commit of another process', async () => {
  const folder = await createFolder()
  const child = await startChild(folder, 'commit')
  const reader = openEmbeddedStore({ folder, readOnly: true })
  let last = 0
  while (last < 300) {
    // Reads the output of the other process, which would wait otherwise.
    await setImmediate()
    last = await reader.ledger.lastSeq(THREAD)
    const events = await reader.ledger.readEvents(THREAD, 0, last)
    const [used] = await reader.runs.usage({ userId: USER })
    expect(events).toHaveLength(last)
    expect(used?.calls ?? 0).toBeGreaterThanOrEqual(last)
    expect((await reader.runs.calls([RUN])).length).toBeGreaterThanOrEqual(last)
  }
  await child.killAfter(1)
  await reader.close()
}, 30_000)

it('a reader changes nothing', async () => {
  const folder = await createFolder()
  const owner = openEmbeddedStore({ folder })
  await fill(owner)
  const before = await readAll(owner)
  const reader = openEmbeddedStore({ folder, readOnly: true })
  const refused = expect.objectContaining({
    name: 'StoreError',
    message: 'The store was opened for reading only.',
  })
  expect(() => reader.threads.create({ id: THREAD, userId: USER, at: 0 })).toThrow(refused)
  expect(() => reader.threads.rename(THREAD, 'Mine')).toThrow(refused)
  expect(() => reader.threads.archive(THREAD, 1)).toThrow(refused)
  await expect(reader.threads.delete(THREAD)).rejects.toEqual(refused)
  expect(() => reader.ledger.commit(THREAD, [runStart('More.')])).toThrow(refused)
  expect(() => reader.approvals.answer('approval_1', 'deny', 1)).toThrow(refused)
  expect(() => reader.approvals.revokeGrant(USER, 'grant_1')).toThrow(refused)
  await reader.close()
  expect(await readAll(owner)).toEqual(before)
  await owner.close()
})

it('a reader refuses a folder without a store, and makes nothing', async () => {
  const folder = await createFolder()
  expect(() => openEmbeddedStore({ folder, readOnly: true })).toThrow(/There is no store in/)
  expect(await readdir(folder)).toEqual([])
})
