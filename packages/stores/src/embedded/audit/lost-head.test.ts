import { readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { checksum } from '../database/checksum.ts'
import { openConnection } from '../database/connection.ts'
import { iteration, runEnd, runStart, THREAD, USER } from '../fixtures/sample-records.fixture.ts'
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

  it('is noticed when a damaged file was replaced by an older backup', async () => {
    const folder = await createFilled() // with a backup of today
    const store = openEmbeddedStore({ folder })
    await store.ledger.commit(THREAD, iteration(4, 'chart 4'))
    await store.close()
    await writeFile(join(folder, 'capstan.db'), 'damaged')
    expect(await verifyAfterRestart(folder)).toMatchObject({ ok: false })
  })
})
