import { copyFile, cp, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { checksum } from '../database/checksum.ts'
import { openConnection } from '../database/connection.ts'
import { iteration, runEnd, runStart, THREAD, USER } from '../../fixtures/sample-records.fixture.ts'
import { useStoreFolders } from '../fixtures/store-folder.fixture.ts'
import { openEmbeddedStore } from '../open-store.ts'

const createFolder = useStoreFolders()

async function createFilled(): Promise<string> {
  const folder = await createFolder()
  const store = openEmbeddedStore({ folder })
  await store.threads.create({ id: THREAD, userId: USER, title: 'Boats', at: 0 })
  await store.ledger.commit(THREAD, [runStart('Where is the harbour?')])
  for (const n of [1, 2, 3]) await store.ledger.commit(THREAD, iteration(n, `chart ${n}`))
  await store.ledger.commit(THREAD, [runEnd('Behind the lighthouse.')])
  await store.close()
  return folder
}

/** Changes the words of all pages, with checksums that fit, and runs the statement: nothing here needs the key. */
function forge(folder: string, statement: string): void {
  const connection = openConnection(join(folder, 'capstan.db'))
  const { db } = connection
  type Row = Record<'id' | 'thread' | 'last_seq' | 'kinds', number> & { readonly body: string }
  const rows = db.prepare('SELECT id, thread, last_seq, kinds, body FROM journal').all() as unknown as Row[]
  for (const { id, thread, last_seq, kinds, body } of rows) {
    const changed = body.replaceAll('chart', 'check')
    const sum = checksum(changed, id + thread + last_seq + kinds)
    db.prepare('UPDATE journal SET body = ?, sum = ? WHERE id = ?').run(changed, sum, id)
  }
  db.exec(statement)
  connection.close()
}

/** Starts the installation again, stops it, and checks the log. */
async function verifyAfterRestart(folder: string) {
  await openEmbeddedStore({ folder }).close()
  const store = openEmbeddedStore({ folder, readOnly: true })
  try {
    return await store.audit.verify()
  } finally {
    await store.close()
  }
}

describe('an edited log', () => {
  it.each(['DELETE FROM chain_head', 'DELETE FROM chain_head; UPDATE journal SET mac = NULL'])(
    'is noticed after a restart, also when the start of the chain was removed: %s',
    async (statement) => {
      const folder = await createFilled()
      forge(folder, statement)
      expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
    },
  )

  it('is noticed after a restart, also when the key was removed', async () => {
    const folder = await createFilled()
    forge(folder, 'SELECT 1')
    await rm(join(folder, 'seal.key'))
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })

  it('is noticed when the file was removed and an empty one took its place', async () => {
    const folder = await createFilled()
    for (const name of await readdir(folder))
      if (name.startsWith('capstan.db')) await rm(join(folder, name), { force: true })
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })

  it('is noticed when the file and the key were removed', async () => {
    const folder = await createFilled()
    for (const name of await readdir(folder))
      if (name.startsWith('capstan.db') || name === 'seal.key') await rm(join(folder, name), { force: true })
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })

  it('is noticed when the file was set back to an older state, with the note of the end from then', async () => {
    const folder = await createFilled()
    await copyFile(join(folder, 'capstan.db'), join(folder, 'older.db'))
    const store = openEmbeddedStore({ folder })
    await store.ledger.commit(THREAD, iteration(4, 'chart 4'))
    await store.close()
    await copyFile(join(folder, 'older.db'), join(folder, 'capstan.db'))
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })

  it('is noticed when a damaged file was replaced by an older backup', async () => {
    const folder = await createFilled() // with a backup of today
    const store = openEmbeddedStore({ folder })
    await store.ledger.commit(THREAD, iteration(4, 'chart 4'))
    await store.close()
    await writeFile(join(folder, 'capstan.db'), 'damaged')
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })

  it('is named once for each time, with the reason, and the user is told at the start', async () => {
    const folder = await createFilled()
    forge(folder, 'DELETE FROM chain_head')
    const store = openEmbeddedStore({ folder })
    expect(store.notices).toEqual([expect.stringContaining('capstan audit verify')])
    await store.audit.record({ at: 9, userId: USER, action: 'hold' })
    await store.close()
    const { ok, problems } = await verifyAfterRestart(folder)
    expect(ok).toBe(false)
    expect(problems).toEqual([
      { no: 6, kind: 'reported', text: expect.stringContaining('the start of the chain was missing: row 5') },
    ])
  })
})

describe('a log that nobody edited', () => {
  it('is whole after its process was killed', async () => {
    const folder = await createFilled()
    const { ledger } = openEmbeddedStore({ folder }) // never closed
    await ledger.commit(THREAD, iteration(4, 'chart 4'))
    await cp(folder, `${folder}-killed`, { recursive: true })
    await rm(join(`${folder}-killed`, 'lock'), { recursive: true, force: true })
    onTestFinished(() => rm(`${folder}-killed`, { recursive: true, force: true }))
    expect(await verifyAfterRestart(`${folder}-killed`)).toMatchObject({ ok: true, rows: 6 })
  })

  it('is whole in a folder of a version that kept no note of the end', async () => {
    const folder = await createFilled()
    await rm(join(folder, 'chain.json'))
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: true, rows: 5 })
  })
})
