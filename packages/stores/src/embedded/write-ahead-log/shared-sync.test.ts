import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSharedSync } from './shared-sync.ts'
import type { SharedSync } from './shared-sync.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

/** A sync whose flushes end when the test says so. */
async function createHeldSync(): Promise<{ sync: SharedSync; flushes: PromiseWithResolvers<void>[] }> {
  const path = join(await createFolder(), 'log')
  await writeFile(path, '')
  const flushes: PromiseWithResolvers<void>[] = []
  const sync = createSharedSync(path, () => {
    const flush = Promise.withResolvers<void>()
    flushes.push(flush)
    return flush.promise
  })
  return { sync, flushes }
}

it('flushes once for everybody who waits for the same writes', async () => {
  const { sync, flushes } = await createHeldSync()
  sync.note()
  const first = sync.wait()
  const late = [sync.wait()!, sync.wait()!, sync.wait()!]
  flushes[0]!.resolve()
  await Promise.all([first, ...late])
  expect(flushes).toHaveLength(1)
  await sync.close()
})

it('has two flushes under way at most, and one more for all who come meanwhile', async () => {
  const { sync, flushes } = await createHeldSync()
  const waits = Array.from({ length: 5 }, () => (sync.note(), sync.wait()!))
  expect(flushes).toHaveLength(2)
  flushes[0]!.resolve()
  await waits[0]
  expect(flushes).toHaveLength(3)
  flushes[1]!.resolve()
  flushes[2]!.resolve()
  await Promise.all(waits)
  expect(flushes).toHaveLength(3)
  await sync.close()
})

it('lets who comes while a flush is under way wait for another one', async () => {
  const { sync, flushes } = await createHeldSync()
  const settled: string[] = []
  sync.note()
  const early = sync.wait()!.then(() => settled.push('early'))
  sync.note()
  const late = sync.wait()!.then(() => settled.push('late'))
  flushes[0]!.resolve()
  await early
  expect(settled).toEqual(['early'])
  flushes[1]!.resolve()
  await late
  expect(settled).toEqual(['early', 'late'])
  await sync.close()
})

it('has nothing to wait for when nothing was written since', async () => {
  const { sync, flushes } = await createHeldSync()
  expect(sync.wait()).toBeUndefined()
  sync.note()
  const waited = sync.wait()
  flushes[0]!.resolve()
  await waited
  expect(sync.wait()).toBeUndefined()
  await sync.close()
})

it('tells a failed flush to who waited for it, and flushes again for the next', async () => {
  const { sync, flushes } = await createHeldSync()
  sync.note()
  const failing = sync.wait()
  sync.note()
  const next = sync.wait()
  flushes[0]!.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }))
  await expect(failing).rejects.toMatchObject({ name: 'StoreError', kind: 'full' })
  flushes[1]!.resolve()
  await expect(next).resolves.toBeUndefined()
  await sync.close()
})
