import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, it } from 'vitest'
import type { MemoryItem } from '@capstan/harness/stores'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'

const createFolder = useStoreFolders()

const item = (id: string, text: string): MemoryItem => ({
  id,
  app: 'notes',
  externalId: id,
  at: 0,
  title: 'A title',
  text,
  people: [],
  seenAt: 0,
})

async function fill() {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.memory.put('ana', [item('a', 'The xylophone is blue.'), item('b', 'The kettle is red.')])
  return { folder, store }
}

describe('items in the embedded store', () => {
  it('leave nothing behind in the file when they are forgotten', async () => {
    const { folder, store } = await fill()
    await store.memory.remove('ana', ['a'])
    await store.close()
    const bytes = await readFile(join(folder, 'capstan.db'))
    expect(bytes.includes('xylophone')).toBe(false)
    expect(bytes.includes('kettle')).toBe(true)
    const db = new DatabaseSync(join(folder, 'capstan.db'), { readOnly: true })
    const [terms] = db.prepare('SELECT max(items) AS most FROM memory_terms').all()
    db.close()
    expect(terms).toEqual({ most: 1 })
  })

  it('that are long are removed in parts, between which others run', async () => {
    const { store } = await fill()
    const long = 'hinge '.repeat(5_000)
    await store.memory.put(
      'ana',
      ['c', 'd', 'e', 'f'].map((id) => item(id, long)),
    )
    let isFirstPartGone = false
    setImmediate(() => {
      isFirstPartGone =
        store.memory.get('ana', 'c') === undefined && store.memory.get('ana', 'f') !== undefined
      // What is added meanwhile under another id stays, whatever place it takes.
      void store.memory.remove('ana', ['f'])
      void store.memory.put('ana', [{ ...item('other', 'A lamp.'), app: 'mail' }])
    })
    expect(await store.memory.remove('ana', ['c', 'd', 'e', 'f'])).toBe(3)
    expect(isFirstPartGone).toBe(true)
    expect(await store.memory.sources('ana')).toMatchObject([
      { app: 'mail', count: 1 },
      { app: 'notes', count: 2 },
    ])
    await store.close()
  })

  it('are indexed again when the rules of the search have changed', async () => {
    const { folder, store } = await fill()
    await store.close()
    const db = new DatabaseSync(join(folder, 'capstan.db'))
    db.exec('UPDATE memory_items SET terms_sum = 1')
    db.close()
    const again = openEmbeddedStore({ folder })
    expect(await again.memory.remove('ana', ['a'])).toBe(1)
    expect(await again.memory.search('ana', { words: 'xylophone' })).toEqual([])
    expect(await again.memory.search('ana', { words: 'kettle' })).toMatchObject([{ item: { id: 'b' } }])
    await again.close()
  })
})

describe('facts in the embedded store', () => {
  it('leave nothing behind in the file when they are forgotten', async () => {
    const folder = await createFolder()
    const store = openEmbeddedStore({ folder })
    const fact = { status: 'accepted', origin: {}, createdAt: 1, changedAt: 1 } as const
    await store.memory.facts.add('ana', { ...fact, id: 'a', text: 'Plays the xylophone.' })
    await store.memory.facts.add('ana', { ...fact, id: 'b', text: 'Owns a kettle.' })
    await store.memory.facts.remove('ana', ['a'])
    await store.close()
    const bytes = await readFile(join(folder, 'capstan.db'))
    expect(bytes.includes('xylophone')).toBe(false)
    expect(bytes.includes('kettle')).toBe(true)
  })
})
