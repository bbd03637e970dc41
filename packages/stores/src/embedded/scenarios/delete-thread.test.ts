import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ThreadId } from '@capstan/protocol'
import { expect, it } from 'vitest'
import { openEmbeddedStore } from '../open-store.ts'
import {
  fill,
  iteration,
  RUN,
  runEnd,
  runStart,
  THREAD,
  USER,
} from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'

const createFolder = useStoreFolders()

it('a deleted thread leaves no word in the folder, and the others stay', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  const other = 'thread_2' as ThreadId
  await store.threads.create({ id: other, userId: USER, title: 'Rhododendron', at: 0 })
  await store.threads.create({ id: THREAD, userId: USER, title: 'Quetzalcoatlus', at: 0 })
  await store.ledger.commit(THREAD, [
    runStart('Who knows the xylophonist?'),
    ...iteration(1, 'zygomorphic '.repeat(500)),
    { type: 'media', at: 1, ref: 'media_1', bytes: Buffer.from('kaleidoscopic bytes') },
    runEnd('The ventriloquist does.'),
  ])
  const writer = store.artifacts.create({ threadId: THREAD, callId: 'call_1', tool: 'read_file' })
  await writer.write('onomatopoeia')
  const { id } = await writer.close()
  expect(await store.threads.search({ userId: USER, words: 'ventriloquist' })).toHaveLength(1)

  expect(await store.threads.delete(THREAD)).toBe(true)
  expect(await store.threads.get(THREAD)).toBeUndefined()
  expect(await store.runs.get(RUN)).toBeUndefined()
  expect(await store.artifacts.read(THREAD, id, { offset: 0, maxBytes: 100 })).toBeUndefined()
  expect(await store.threads.search({ userId: USER, words: 'ventriloquist' })).toEqual([])
  expect(await store.threads.search({ userId: USER, words: 'rhodo' })).toHaveLength(1)
  await store.close()

  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const file of files.filter((entry) => entry.isFile())) {
    const text = (await readFile(join(file.parentPath, file.name))).toString('latin1').toLowerCase()
    for (const word of [
      'etzalcoatlus',
      'lophonist',
      'gomorphic',
      'triloquist',
      'leidoscopic',
      'omatopoeia',
    ]) {
      expect(text.includes(word), `${word} in ${file.name}`).toBe(false)
    }
  }
})

it('what a deleted thread has cost is known after a restart', async () => {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await fill(store)
  const spent = await store.runs.usage({ userId: USER })
  expect(spent).not.toEqual([])
  await store.threads.delete(THREAD)
  await store.close()
  const again = openEmbeddedStore({ folder })
  expect(await again.runs.usage({ userId: USER })).toEqual(spent)
  await again.close()
})
