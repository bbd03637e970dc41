import { runSync } from '@capstan/harness/memory'
import type { SyncState } from '@capstan/harness/memory'
import { systemClock } from '@capstan/harness/seams'
import { createSyncedApp } from '@capstan/harness/testing'
import { expect, it } from 'vitest'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'

const createFolder = useStoreFolders()

it('5,000 items are synced into SQLite over several cut runs, and then only what changed', async () => {
  const app = createSyncedApp({ pageSize: 100 })
  for (let index = 0; index < 5000; index++) app.write(`p${index}`)
  const store = openEmbeddedStore({ folder: await createFolder() })
  let state: SyncState | undefined
  const sync = (cutAfter = Infinity) => {
    let pages = 0
    const stop = new AbortController()
    return runSync({
      source: app.source,
      memory: store.memory,
      userId: 'ana',
      account: { app: 'notes', account: 'ada' },
      clock: systemClock,
      signal: stop.signal,
      save(next) {
        state = structuredClone(next)
        if (++pages >= cutAfter) stop.abort(new Error('cut'))
      },
      ...(state && { state }),
    })
  }
  for (const cut of [3, 1, 17]) await expect(sync(cut)).rejects.toThrow('cut')
  expect((await sync()).state.counts).toMatchObject({ pages: 50, added: 5000, changed: 0 })
  expect(await store.memory.sources('ana')).toEqual([{ app: 'notes', account: 'ada', count: 5000 }])
  expect(app.asked).toHaveLength(50)

  app.asked.length = 0
  app.write('p42', { text: 'The boathouse key is under the third stone.' })
  app.delete('p43')
  expect((await sync()).state.counts).toMatchObject({ pages: 1, changed: 1, removed: 1, added: 0 })
  expect(app.asked).toHaveLength(1)
  const [hit] = await store.memory.search('ana', { words: 'boathouse key' })
  expect(hit?.item.externalId).toBe('p42')
  await store.close()
}, 60_000)
