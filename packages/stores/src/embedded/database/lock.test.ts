import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { startChild } from '../fixtures/child-process.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'
import { THREAD } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

const problem = (kind: string, message: unknown) =>
  expect.objectContaining({ name: 'StoreError', kind, message })

it('the lock refuses a second process and names the owner of the store', async () => {
  const folder = await createFolder()
  const child = await startChild(folder, 'idle')
  expect(() => openEmbeddedStore({ folder })).toThrow(
    problem('locked', expect.stringContaining(`pid ${child.pid}`)),
  )
  await child.killAfter(1)
})

it('the store can be opened at once after its owner was killed', async () => {
  const folder = await createFolder()
  const child = await startChild(folder, 'idle')
  await child.killAfter(1)
  const store = openEmbeddedStore({ folder })
  expect(await store.threads.get(THREAD)).toMatchObject({ id: THREAD })
  await store.close()
})

it('the lock refuses a second opening in the same process until the first is closed', async () => {
  const folder = await createFolder()
  const first = openEmbeddedStore({ folder })
  expect(() => openEmbeddedStore({ folder })).toThrow(
    problem('locked', expect.stringContaining(`pid ${process.pid}`)),
  )
  await first.close()
  const second = openEmbeddedStore({ folder })
  expect(await second.threads.list({ userId: 'ann' })).toEqual([])
  await second.close()
})

it('the lock works whatever its file contains', async () => {
  const folder = await createFolder()
  await writeFile(join(folder, 'lock'), 'not a database, and long enough to be taken for one '.repeat(100))
  const store = openEmbeddedStore({ folder })
  expect(() => openEmbeddedStore({ folder })).toThrow(problem('locked', expect.any(String)))
  expect(await readFile(join(folder, 'lock.pid'), 'utf8')).toBe(`${process.pid}\n`)
  await store.close()
})
