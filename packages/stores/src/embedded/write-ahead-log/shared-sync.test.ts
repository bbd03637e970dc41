import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { createSharedSync } from './shared-sync.ts'
import type { SharedSync } from './shared-sync.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

/** A sync whose flushes the test ends. */
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

it('a shared sync flushes once for all callers that wait for the same writes', async () => {
  const { sync, flushes } = await createHeldSync()
  sync.note()
  const first = sync.wait()
  const late = [sync.wait()!, sync.wait()!, sync.wait()!]
  flushes[0]!.resolve()
  await Promise.all([first, ...late])
  expect(flushes).toHaveLength(1)
  await sync.close()
})

it('a shared sync runs at most two flushes, and one more for all callers that come meanwhile', async () => {
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

it('a shared sync starts another flush for writes made during a flush', async () => {
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

it('a shared sync has nothing to wait for when nothing was written since', async () => {
  const { sync, flushes } = await createHeldSync()
  expect(sync.wait()).toBeUndefined()
  sync.note()
  const waited = sync.wait()
  flushes[0]!.resolve()
  await waited
  expect(sync.wait()).toBeUndefined()
  await sync.close()
})

it('a shared sync rejects the callers of a failed flush, and flushes again for the next', async () => {
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
